import { useRouter } from '@tanstack/react-router';
import { Copy, LogOut, Server, Settings } from 'lucide';
import type { ReactNode } from 'react';

import { useSession } from '../access/session.js';
import { copyText } from '../ui/copy/copy-text.js';
import { MenuButton } from '../ui/menu/MenuButton.js';
import { t } from './later-texts.js';
import { leave } from './leave.js';
import { navigationFor } from './navigation.js';

/** Menu of the tenant in which the user acts. Another tenant takes another account. */
export function TenantMenu({ name, className }: { readonly name: string; readonly className: string | undefined }): ReactNode {
  const router = useRouter();
  const session = useSession();
  const groups = navigationFor(session);
  const settings = groups.flatMap(({ entries }) => entries).find(({ text }) => text === 'settings');
  const server = groups.find(({ text }) => text === 'server')?.entries[0];
  return (
    <MenuButton
      label={name}
      look="quiet"
      className={className}
      entries={() => [
        {
          // The button cuts a long name in a narrow bar.
          group: name,
          entries: [
            { label: t('tenant-copy-id'), icon: Copy, onSelect: () => void copyText(session.tenant.id, t('tenant-id-copied')) },
            ...(settings === undefined ? [] : [{ label: t('tenant-settings'), icon: Settings, href: settings.to }]),
            ...(server === undefined ? [] : [{ label: t('server-administration'), icon: Server, href: server.to }]),
          ],
        },
        null,
        { label: t('sign-out'), icon: LogOut, onSelect: () => void leave(router) },
      ]}
    />
  );
}
