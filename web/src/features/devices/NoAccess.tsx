import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useCan } from '../../access/can.js';
import { holdsSomewhere } from '../../access/rights.js';
import { useSession } from '../../access/session.js';
import { holdersQuery } from '../../api/access/holders.js';
import { locale } from '../../i18n/language.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { t } from './later-texts.js';

/** Most administrators that are named. */
const MOST_NAMES = 5;

/** Shown to users who cannot add devices when they see none: says what they lack, and whom to ask. */
export function NoAccess(): ReactNode {
  const session = useSession();
  const tenant = session.tenant.name ?? t('your-tenant');
  const mayReadHolders = useCan('tenant.permissions.read');
  const ask = mayReadHolders ? <Administrators tenant={tenant} /> : <p>{t('ask-administrator', { tenant })}</p>;
  return holdsSomewhere(session, 'device.read') ? (
    <EmptyState title={t('empty-title')}>
      <p>{t('may-not-add')}</p>
      {ask}
    </EmptyState>
  ) : (
    <EmptyState title={t('no-access-title')}>
      <p>{t('no-access-text', { tenant })}</p>
      {ask}
    </EmptyState>
  );
}

/** The names of the users to ask. Only for users who may read the permissions of others. */
function Administrators({ tenant }: { readonly tenant: string }): ReactNode {
  const { user } = useSession();
  const { data, isPending } = useInfiniteQuery(holdersQuery({ kind: 'Tenant', id: null }, 'tenant.permissions.write'));
  const others = (data?.pages[0]?.items ?? []).filter(
    ({ principalKind, principalId }) => principalKind === 'User' && principalId !== user.id,
  );
  if (isPending) return null;
  if (others.length === 0) return <p>{t('ask-administrator', { tenant })}</p>;
  const names = others.slice(0, MOST_NAMES).map(({ name }) => name);
  return <p>{t('ask-one-of', { names: new Intl.ListFormat(locale(), { type: 'disjunction' }).format(names) })}</p>;
}
