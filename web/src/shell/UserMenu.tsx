import { useRouter } from '@tanstack/react-router';
import { CircleUser, Keyboard, LogOut, ShieldCheck } from 'lucide';
import type { ReactNode } from 'react';

import { changePreferences } from '../access/preferences/account.js';
import { shownPreferences } from '../state/preferences/browser.js';
import { PREFERENCES } from '../state/preferences/preferences.js';
import { keysOf } from '../keyboard/shortcuts.js';
import { MenuButton } from '../ui/menu/MenuButton.js';
import { sheet } from '../keyboard/sheet.js';
import { t } from './later-texts.js';
import { leave } from './leave.js';

/** Menu of the user: the account, the look of the pages, the way out. */
export function UserMenu({ name, className }: { readonly name: string; readonly className: string | undefined }): ReactNode {
  const router = useRouter();
  return (
    <MenuButton
      label={name}
      icon={CircleUser}
      look="quiet"
      align="end"
      className={className}
      entries={() => [
        { label: t('account'), icon: CircleUser, href: '/account/profile' },
        { label: t('account-security'), icon: ShieldCheck, href: '/account/security' },
        null,
        {
          group: t('theme'),
          entries: PREFERENCES.theme.map((theme) => ({
            label: t(`theme-${theme}`),
            checked: shownPreferences().theme === theme,
            onCheckedChange: () => changePreferences({ theme }),
          })),
        },
        null,
        { label: t('shortcuts'), icon: Keyboard, shortcut: keysOf('sheet'), onSelect: sheet.open },
        { label: t('about'), href: '/about' },
        { label: t('sign-out'), icon: LogOut, onSelect: () => void leave(router) },
      ]}
    />
  );
}
