import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Plus, Trash2, UserPlus } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { Badge } from '../../ui/badge/Badge.js';
import { Button } from '../../ui/button/Button.js';
import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { CopyButton } from '../../ui/copy/CopyButton.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { EditDialog } from '../../ui/edit/EditDialog.js';
import { TextField } from '../../ui/field/Field.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { Page } from '../../ui/page/Page.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { toast } from '../../ui/toast/toasts.js';
import { deleteTenant, type Tenant, tenantContentsQuery, tenantsQuery, tenantsWithoutUsersQuery } from '../../api/tenants/tenants.js';
import { CreateTenant } from './CreateTenant.js';
import { InviteAdministrator } from './InviteAdministrator.js';
import { useNow } from '../../ui/use-now.js';
import css from './ServerAdministration.module.css';
import { readTenantName, type TenantField, tenantName } from '../../parts/tenants/tenant-name.js';
import { TenantRemovals } from './TenantRemovals.js';
import { t } from './texts.js';

/** Display name of a tenant: the first one of a server has no name until a user gives it one. */
const nameOf = ({ id, name }: Tenant): string => (name === '' ? id : name);
const labelOf = (): string => t('name');

/** Columns of the list; with links to change logs for users who may read them. */
const columnsFor = (
  ownId: string,
  mayReadLogs: boolean,
  withoutUsers: ReadonlyMap<string, string | null> | undefined,
): readonly Column<Tenant>[] => [
  {
    id: 'name',
    header: t('name'),
    cell: ({ id, name }) => (
      <span className="row">
        {name === '' ? <span className="faint">{t('unnamed')}</span> : name}
        {id === ownId && <Badge>{t('own-tenant')}</Badge>}
        <WithoutUsers invitedUntil={withoutUsers?.get(id)} />
      </span>
    ),
    sortBy: ({ name }) => name.toLowerCase(),
  },
  {
    id: 'id',
    header: t('id'),
    cell: (tenant) => (
      <span className="row">
        <span className="mono">{tenant.id}</span>
        <CopyButton text={tenant.id} label={t('copy-id', { name: nameOf(tenant) })} />
      </span>
    ),
  },
  ...(mayReadLogs
    ? [
        {
          id: 'log',
          header: t('change-log'),
          hideHeader: true,
          align: 'end' as const,
          phone: 'side' as const,
          cell: ({ id }: Tenant) => (
            <Link to="/server/tenants/$tenantId/change-log" params={{ tenantId: id }} className="link">
              {t('change-log')}
            </Link>
          ),
        },
      ]
    : []),
];

/** Says of a tenant that nobody can sign in there yet; nothing of others, for which `invitedUntil` is undefined. */
function WithoutUsers({ invitedUntil }: { readonly invitedUntil: string | null | undefined }): ReactNode {
  const now = useNow();
  if (invitedUntil === undefined) return null;
  if (invitedUntil === null) return <Badge look="warn">{t('users-none')}</Badge>;
  const isOpen = Date.parse(invitedUntil) > now;
  return <Badge look={isOpen ? undefined : 'warn'}>{t(isOpen ? 'invitation-open' : 'invitation-expired')}</Badge>;
}

interface TenantsPageProps {
  /** Text that the names of the shown tenants contain. */
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** The tenants of the server: made, renamed and deleted here. Their contents belong to their own users. */
export function TenantsPage({ filter, onFilter }: TenantsPageProps): ReactNode {
  const { tenant: own } = useSession();
  const tenants = useQuery(tenantsQuery);
  const mayWrite = useCan('server.tenants.write');
  const mayDelete = useCan('server.tenants.delete');
  const mayReadLogs = useCan('server.authorization-logs.read');
  const [isCreating, setCreating] = useState(false);
  const mayGrant = useCan('server.permissions.write');
  const withoutUsers = useQuery(tenantsWithoutUsersQuery);
  const [invited, setInvited] = useState<Tenant | null>(null);
  const [renamed, setRenamed] = useState<Tenant | null>(null);
  const [deleted, setDeleted] = useState<Tenant | null>(null);
  const create = mayWrite ? (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      {t('tenant-create')}
    </Button>
  ) : undefined;
  const shown = tenants.data?.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <Page title={t('tenants')} count={tenants.data?.length} actions={create}>
      <p className="muted">{t('tenants-intro')}</p>
      <TenantRemovals />
      <div className={css.search}>
        <SearchField label={t('tenants-search')} value={filter} onSearch={onFilter} />
      </div>
      <DataTable
        label={t('tenants')}
        rows={shown}
        rowKey={({ id }) => id}
        columns={columnsFor(own.id, mayReadLogs, withoutUsers.data)}
        defaultSort="name"
        rowName={nameOf}
        rowMenu={
          mayWrite || mayDelete
            ? (tenant) => [
                ...(mayWrite && mayGrant && withoutUsers.data?.has(tenant.id) === true
                  ? [{ label: t('administrator-invite'), icon: UserPlus, onSelect: () => setInvited(tenant) }]
                  : []),
                ...(mayWrite ? [{ label: t('rename'), icon: Pencil, onSelect: () => setRenamed(tenant) }] : []),
                // With their own tenant, users would delete themselves.
                ...(mayDelete && tenant.id !== own.id
                  ? [null, { label: t('delete'), icon: Trash2, danger: true, onSelect: () => setDeleted(tenant) }]
                  : []),
              ]
            : undefined
        }
        error={tenants.error}
        onRetry={() => void tenants.refetch()}
        empty={
          filter === '' ? (
            <EmptyState title={t('tenants-empty')} actions={create} />
          ) : (
            <EmptyFiltered total={tenants.data?.length} onClear={() => onFilter('')} />
          )
        }
      />
      <CreateTenant open={isCreating} onClose={() => setCreating(false)} />
      <InviteAdministrator tenant={invited} nameOf={nameOf} onClose={() => setInvited(null)} />
      <EditDialog
        subject={renamed}
        onClose={() => setRenamed(null)}
        title={(tenant) => t('rename-title', { name: nameOf(tenant) })}
        nameOf={nameOf}
        labelOf={labelOf}
        of={({ id }) => tenantName(id)}
        action={t('rename')}
      >
        {({ name }) => (
          <TextField<TenantField> name="name" label={t('name')} defaultValue={name} maxLength={100} required autoFocus autoComplete="off" />
        )}
      </EditDialog>
      <DeleteDialog
        subject={deleted}
        onClose={() => setDeleted(null)}
        nameOf={nameOf}
        title={(tenant) => t('delete-title', { name: nameOf(tenant) })}
        text={(tenant) => <WhatGoes tenant={tenant} />}
        action={() => t('delete')}
        checks={{ read: ({ id }) => readTenantName(id), nameOf, labelOf }}
        act={({ id }, tag) => deleteTenant(id, tag)}
        onDone={(tenant) => toast(t('tenant-deleted', { name: nameOf(tenant) }))}
      />
    </Page>
  );
}

/** Contents that are deleted with a tenant, and the number of devices. */
function WhatGoes({ tenant }: { readonly tenant: Tenant }): ReactNode {
  const contents = useQuery(tenantContentsQuery(tenant.id));
  return (
    <>
      <p>{t('tenant-delete-text')}</p>
      <p aria-live="polite">
        {contents.data !== undefined && t('tenant-delete-devices', { count: contents.data.deviceCount })}
        {contents.data === undefined && contents.isError && (
          <>
            {t('tenant-delete-uncounted')} <ProblemText error={contents.error} />
          </>
        )}
      </p>
    </>
  );
}
