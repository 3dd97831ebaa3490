import { type AnyRouter, Link, useRouter, useSearch } from '@tanstack/react-router';
import { CircleUser, Keyboard, LogOut, ShieldCheck } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';

import { changeAppearance, readAppearance } from '../../access/appearance.js';
import { useSession } from '../../access/session.js';
import { lazyAfterFirstPage } from '../../first-page.js';
import { keysOf } from '../../keyboard/shortcuts.js';
import { MenuButton } from '../../ui/menu/MenuButton.js';
import { toastProblem } from '../../ui/toast/toasts.js';
import { sheet } from '../keyboard/sheet.js';
import { PaletteButton } from '../palette/PaletteButton.js';
import { t } from './texts.js';
import css from './TopBar.module.css';

const ConnectionPill = lazyAfterFirstPage(async () => (await import('./ConnectionPill.js')).ConnectionPill);
const CustomerScope = lazy(async () => ({ default: (await import('./CustomerScope.js')).CustomerScope }));

const THEMES = ['system', 'light', 'dark'] as const;

/** Signs out, with code that is loaded for it. */
async function leave(router: AnyRouter): Promise<void> {
  try {
    const { signOut } = await import('./sign-out.js');
    await signOut(router);
  } catch (error) {
    toastProblem(error);
  }
}

/** The bar over every page: whose devices these are, whether they are live, and who is signed in. */
export function TopBar(): ReactNode {
  const session = useSession();
  const router = useRouter();
  const { customer } = useSearch({ strict: false });
  return (
    <header className={css.bar} data-region>
      <Link to="/devices" className={css.brand}>
        <img src="/favicon.svg" alt="" width={24} height={24} />
        <span className="cut">{session.tenant.name ?? t('product')}</span>
      </Link>
      {customer !== undefined && (
        <Suspense>
          <CustomerScope customer={customer} />
        </Suspense>
      )}
      <div className={css.space} />
      <PaletteButton label={t('palette')} />
      <div className={css.space} />
      <Suspense>
        <ConnectionPill />
      </Suspense>
      <MenuButton
        label={session.preferences.userDisplayName || session.user.userName}
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
          { label: t('shortcuts'), icon: Keyboard, shortcut: keysOf('sheet'), onSelect: sheet.open },
          { label: t('about'), href: '/about' },
          { label: t('sign-out'), icon: LogOut, onSelect: () => void leave(router) },
        ]}
      />
    </header>
  );
}
