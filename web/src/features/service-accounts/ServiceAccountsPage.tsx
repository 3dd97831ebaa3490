import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { formatNumber } from '../../i18n/format.js';
import { Badge } from '../../ui/badge/Badge.js';
import { Button } from '../../ui/button/Button.js';
import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { Page } from '../../ui/page/Page.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { type Account, ACCOUNTS, type AccountsOf, accountsQuery } from '../../api/people/service-accounts.js';
import { accountChecks, AccountDialog, NewAccountDialog } from './AccountDialog.js';
import { stateOf } from './credential-state.js';
import { t } from './texts.js';

const COLUMNS: readonly Column<Account>[] = [
  {
    id: 'name',
    header: t('name'),
    cell: ({ name, isEnabled }) => (
      <span className="row">
        <span className="cut">{name}</span>
        {!isEnabled && <Badge look="warn">{t('disabled')}</Badge>}
      </span>
    ),
    sortBy: ({ name }) => name,
  },
  { id: 'description', header: t('description'), cell: ({ description }) => description ?? '' },
  {
    id: 'keys',
    header: t('keys-active'),
    cell: ({ credentials }) => formatNumber((credentials ?? []).filter((each) => stateOf(each) === 'active').length),
    align: 'end',
    phone: 'hidden',
  },
  {
    id: 'created',
    header: t('created'),
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
    phone: 'side',
  },
];

const ACCESS_MODE: Column<Account> = {
  id: 'mode',
  header: t('access-mode'),
  cell: ({ accessMode }) => (accessMode === 'Unrestricted' ? <Badge look="warn">{t('mode-Unrestricted')}</Badge> : t('mode-Restricted')),
  sortBy: ({ accessMode }) => accessMode,
};

interface ServiceAccountsPageProps {
  readonly of: AccountsOf;
  /** The text that the list is filtered by. */
  readonly q: string;
  readonly onSearch: (text: string) => void;
}

/** The service accounts of the tenant or of the server: programs that use the API. */
export function ServiceAccountsPage({ of, q, onSearch }: ServiceAccountsPageProps): ReactNode {
  const accounts = useQuery(accountsQuery(of));
  const mayWrite = useCan(ACCOUNTS[of].writePermission);
  const [edited, setEdited] = useState<Account | null>(null);
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<Account | null>(null);
  const create = mayWrite ? (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      {t('create-account')}
    </Button>
  ) : undefined;
  return (
    <Page title={t(`${of}-title`)} count={accounts.data?.length} actions={create}>
      <p className="muted">{t(`${of}-intro`)}</p>
      <SearchField label={t('search')} value={q} onSearch={onSearch} />
      <DataTable
        label={t(`${of}-title`)}
        rows={accounts.data?.filter(({ name, description }) =>
          [name, description].some((text) => text?.toLowerCase().includes(q.toLowerCase())),
        )}
        rowKey={({ id }) => id}
        columns={of === 'server' ? [...COLUMNS.slice(0, 1), ACCESS_MODE, ...COLUMNS.slice(1)] : COLUMNS}
        defaultSort="name"
        rowLink={({ id }) =>
          of === 'server'
            ? { to: '/server/service-accounts/$serviceAccountId', params: { serviceAccountId: id } }
            : { to: '/service-accounts/$serviceAccountId', params: { serviceAccountId: id } }
        }
        rowName={({ name }) => name}
        rowMenu={
          mayWrite
            ? (account) => [
                { label: t('edit'), icon: Pencil, onSelect: () => setEdited(account) },
                null,
                { label: t('delete'), icon: Trash2, danger: true, onSelect: () => setDeleted(account) },
              ]
            : undefined
        }
        error={accounts.error}
        onRetry={() => void accounts.refetch()}
        empty={
          q === '' ? (
            <EmptyState title={t('empty')} actions={create}>
              {t('empty-text')}
            </EmptyState>
          ) : (
            <EmptyFiltered onClear={() => onSearch('')} total={accounts.data?.length} />
          )
        }
      />
      <NewAccountDialog of={of} open={isCreating} onClose={() => setCreating(false)} />
      <AccountDialog of={of} account={edited} onClose={() => setEdited(null)} />
      <DeleteDialog
        subject={deleted}
        onClose={() => setDeleted(null)}
        nameOf={({ name }) => name}
        title={({ name }) => t('delete-title', { name })}
        text={() => t('delete-text')}
        action={() => t('delete')}
        checks={accountChecks(of)}
        act={({ id }, tag) => ACCOUNTS[of].remove(id, tag)}
      />
    </Page>
  );
}
