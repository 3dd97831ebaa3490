import { Link, useSearch } from '@tanstack/react-router';
import { CircleUser } from 'lucide';
import { lazy, type ReactNode, Suspense } from 'react';

import { useSession } from '../access/session.js';
import { lazyAfterFirstPage } from '../first-load/first-page.js';
import { Button } from '../ui/button/Button.js';
import { PaletteButton } from './palette/PaletteButton.js';
import { t } from './texts.js';
import css from './TopBar.module.css';

const CustomerScope = lazy(async () => ({ default: (await import('./CustomerScope.js')).CustomerScope }));
const LiveStatus = lazyAfterFirstPage(async () => (await import('./LiveStatus.js')).LiveStatus);
const TenantMenu = lazyAfterFirstPage(async () => (await import('./TenantMenu.js')).TenantMenu);
const UserMenu = lazyAfterFirstPage(async () => (await import('./UserMenu.js')).UserMenu);

/** The bar over every page: the tenant and the customer, the state of the connection, and the user. */
export function TopBar(): ReactNode {
  const session = useSession();
  const { customer } = useSearch({ strict: false });
  const name = session.preferences.userDisplayName || session.user.userName;
  const tenant = session.tenant.name ?? t('product');
  return (
    <header className={css.bar} data-region>
      <Link to="/devices" className={css.home}>
        <img src="/favicon.svg" alt={t('product')} width={24} height={24} />
      </Link>
      <Suspense
        fallback={
          <Button look="quiet" className={css.tenant} aria-busy>
            {tenant}
          </Button>
        }
      >
        <TenantMenu name={tenant} className={css.tenant} />
      </Suspense>
      {customer !== undefined && (
        <Suspense>
          <CustomerScope customer={customer} />
        </Suspense>
      )}
      <div className={css.space} />
      <PaletteButton label={t('palette')} />
      <div className={css.space} />
      <Suspense>
        <LiveStatus />
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
