import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { api } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { formatInstant, formatNumber, formatRelative } from '../../i18n/format.js';
import { Button } from '../../ui/button/Button.js';
import { ConfirmByName } from '../../ui/confirm/Confirm.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { Page } from '../../ui/page/Page.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { GroupForm } from './GroupForm.js';
import { type UserGroup, userGroupsQuery } from './queries.js';
import { t } from './texts.js';

const route = getRouteApi('/_app/user-groups/');

const COLUMNS: readonly Column<UserGroup>[] = [
  { id: 'name', header: t('name'), cell: ({ name }) => name, sortBy: ({ name }) => name },
  { id: 'description', header: t('description'), cell: ({ description }) => description ?? '' },
  {
    id: 'members',
    header: t('members'),
    cell: ({ memberCount }) => formatNumber(memberCount),
    sortBy: ({ memberCount }) => memberCount,
    align: 'end',
    phone: 'side',
  },
  {
    id: 'created',
    header: t('created'),
    cell: ({ createdAt }) => <span title={formatInstant(createdAt)}>{formatRelative(createdAt)}</span>,
    sortBy: ({ createdAt }) => createdAt,
    phone: 'hidden',
  },
];

/** The groups of users: what a group may do, its members may do. */
export function UserGroupsPage(): ReactNode {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const groups = useQuery(userGroupsQuery);
  const mayWrite = useCan('tenant.user-groups.write');
  const [edited, setEdited] = useState<UserGroup | 'new' | null>(null);
  const [deleted, setDeleted] = useState<UserGroup | null>(null);
  const remove = useMutation({
    async mutationFn({ id }: UserGroup) {
      await api.DELETE('/api/v1/user-groups/{userGroupId}', { params: { path: { userGroupId: id } } });
      setDeleted(null);
      await changed('user-groups');
    },
  });
  const search = (text: string): void => void navigate({ search: { q: text === '' ? undefined : text }, replace: true });
  const create = mayWrite ? (
    <Button look="primary" icon={Plus} onClick={() => setEdited('new')}>
      {t('create-group')}
    </Button>
  ) : undefined;
  return (
    <Page title={t('title')} count={groups.data?.length} actions={create}>
      <SearchField label={t('search')} value={q} onSearch={search} />
      <DataTable
        label={t('title')}
        rows={groups.data?.filter(({ name, description }) =>
          [name, description].some((text) => text?.toLowerCase().includes(q.toLowerCase())),
        )}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        defaultSort="name"
        rowLink={({ id }) => ({ to: '/user-groups/$userGroupId', params: { userGroupId: id } })}
        rowName={({ name }) => name}
        rowMenu={
          mayWrite
            ? (group) => [
                { label: t('edit'), icon: Pencil, onSelect: () => setEdited(group) },
                null,
                { label: t('delete'), icon: Trash2, danger: true, onSelect: () => setDeleted(group) },
              ]
            : undefined
        }
        error={groups.error}
        onRetry={() => void groups.refetch()}
        empty={
          q === '' ? (
            <EmptyState title={t('empty')} actions={create}>
              {t('empty-text')}
            </EmptyState>
          ) : (
            <EmptyFiltered onClear={() => search('')} total={groups.data?.length} />
          )
        }
      />
      <Dialog
        open={edited !== null}
        onClose={() => setEdited(null)}
        title={edited === 'new' ? t('create-group') : t('edit-title', { name: edited?.name ?? '' })}
      >
        {edited !== null && <GroupForm group={edited === 'new' ? null : edited} onDone={() => setEdited(null)} />}
      </Dialog>
      <ConfirmByName
        open={deleted !== null}
        onClose={() => {
          remove.reset();
          setDeleted(null);
        }}
        title={t('delete-title', { name: deleted?.name ?? '' })}
        action={t('delete')}
        name={deleted?.name ?? ''}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => {
          if (deleted !== null) remove.mutate(deleted);
        }}
      >
        {t('delete-text', { count: deleted?.memberCount ?? 0 })}
      </ConfirmByName>
    </Page>
  );
}
