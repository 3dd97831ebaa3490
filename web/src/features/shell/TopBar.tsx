import { Link } from '@tanstack/react-router';
import { CircleUser, LogOut, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';

import { changeAppearance, readAppearance } from '../../access/appearance.js';
import { useSession } from '../../access/session.js';
import { MenuButton } from '../../ui/menu/MenuButton.js';
import { ConnectionPill } from './ConnectionPill.js';
import { CustomerScope } from './CustomerScope.js';
import { useSignOut } from './sign-out.js';
import { t } from './texts.js';
import css from './TopBar.module.css';

const THEMES = ['system', 'light', 'dark'] as const;

/** The bar over every page: whose devices these are, whether they are live, and who is signed in. */
export function TopBar(): ReactNode {
  const session = useSession();
  const signOut = useSignOut();
  return (
    <header className={css.bar}>
      <Link to="/devices" className={css.brand}>
        <img src="/favicon.svg" alt="" width={24} height={24} />
        <span className="cut">{session.tenant.name ?? t('product')}</span>
      </Link>
      <CustomerScope />
      <div className={css.space} />
      <ConnectionPill />
      <MenuButton
        label={session.user.userName}
        icon={CircleUser}
        look="quiet"
        align="end"
        className={css.user}
        entries={() => [
          { label: t('account'), icon: CircleUser, href: '/account/profile' },
          { label: t('account-security'), icon: ShieldCheck, href: '/account/security' },
          null,
          {
            group: t('theme'),
            entries: THEMES.map((theme) => ({
              label: t(`theme-${theme}`),
              checked: readAppearance().theme === theme,
              onCheckedChange: () => void changeAppearance({ theme }),
            })),
          },
          null,
          { label: t('about'), href: '/about' },
          { label: t('sign-out'), icon: LogOut, onSelect: () => signOut.mutate() },
        ]}
      />
    </header>
  );
}
