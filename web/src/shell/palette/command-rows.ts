import { useRouter } from '@tanstack/react-router';
import { LogOut, Plus, SunMoon, UserPlus } from 'lucide';

import { useCan } from '../../access/can.js';
import { changePreferences } from '../../access/preferences/account.js';
import { PREFERENCES } from '../../state/preferences/preferences.js';
import { t as laterText } from '../later-texts.js';
import { leave } from '../leave.js';
import { openInvitation } from './dialog.js';
import type { Go, Row } from './row.js';
import { t } from './texts.js';
import { hasWords } from './typed.js';

/** The actions of every page: add a device, invite a user, change the theme, sign out. */
export function useCommandRows(words: readonly string[], go: Go): readonly Row[] {
  const router = useRouter();
  const mayInstall = useCan('agent.install');
  const mayInvite = useCan('tenant.users.write');
  const rows: readonly Row[] = [
    ...(mayInstall ? [{ id: 'add device', label: t('add-device'), icon: Plus, run: () => go('/deploy') }] : []),
    ...(mayInvite ? [{ id: 'invite', label: t('invite'), icon: UserPlus, run: openInvitation }] : []),
    ...PREFERENCES.theme.map((theme) => ({
      id: `theme ${theme}`,
      label: t('theme', { theme: laterText(`theme-${theme}`) }),
      icon: SunMoon,
      run: () => changePreferences({ theme }),
    })),
    { id: 'sign out', label: laterText('sign-out'), icon: LogOut, run: () => void leave(router) },
  ];
  return rows.filter(({ label }) => hasWords(words, label));
}
