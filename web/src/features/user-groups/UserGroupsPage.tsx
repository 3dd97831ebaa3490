import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Pencil, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { formatNumber } from '../../i18n/format.js';
import { Button } from '../../ui/button/Button.js';
import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { Page } from '../../ui/page/Page.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { deleteUserGroup, type UserGroup, userGroupsQuery } from '../../api/people/user-groups.js';
import { GROUP_CHECKS, GroupDialog, NewGroupDialog } from './GroupDialog.js';
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
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
    phone: 'hidden',
  },
];

/** The groups of users: members have all permissions of their groups. */
export function UserGroupsPage(): ReactNode {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const groups = useQuery(userGroupsQuery);
  const mayWrite = useCan('tenant.user-groups.write');
  const [edited, setEdited] = useState<UserGroup | null>(null);
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<UserGroup | null>(null);
  const search = (text: string): void => void navigate({ search: { q: text === '' ? undefined : text }, replace: true });
  const create = mayWrite ? (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
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
      <NewGroupDialog open={isCreating} onClose={() => setCreating(false)} />
      <GroupDialog group={edited} onClose={() => setEdited(null)} />
      <DeleteDialog
        subject={deleted}
        onClose={() => setDeleted(null)}
        nameOf={({ name }) => name}
        title={({ name }) => t('delete-title', { name })}
        text={({ memberCount }) => t('delete-text', { count: memberCount })}
        action={() => t('delete')}
        checks={GROUP_CHECKS}
        act={({ id }, tag) => deleteUserGroup(id, tag)}
      />
    </Page>
  );
}
