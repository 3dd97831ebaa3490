import { Link, useSearch } from '@tanstack/react-router';
import { CircleUser } from 'lucide';
import { lazy, type ReactNode, Suspense } from 'react';

import { useSession } from '../../access/session.js';
import { lazyAfterFirstPage } from '../../first-page.js';
import { Button } from '../../ui/button/Button.js';
import { PaletteButton } from '../palette/PaletteButton.js';
import { t } from './texts.js';
import css from './TopBar.module.css';

const ConnectionPill = lazyAfterFirstPage(async () => (await import('./ConnectionPill.js')).ConnectionPill);
const CustomerScope = lazy(async () => ({ default: (await import('./CustomerScope.js')).CustomerScope }));
const UserMenu = lazyAfterFirstPage(async () => (await import('./UserMenu.js')).UserMenu);

/** The bar over every page: whose devices these are, whether they are live, and who is signed in. */
export function TopBar(): ReactNode {
  const session = useSession();
  const { customer } = useSearch({ strict: false });
  const name = session.preferences.userDisplayName || session.user.userName;
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
      <Suspense
        fallback={
          <Button icon={CircleUser} look="quiet" className={css.user} aria-busy>
            {name}
          </Button>
        }
      >
        <UserMenu name={name} className={css.user} />
      </Suspense>
    </header>
  );
}
