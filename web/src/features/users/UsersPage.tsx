import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { KeyRound, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { Badge } from '../../ui/badge/Badge.js';
import { Button } from '../../ui/button/Button.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { CreateUserForm } from './CreateUserForm.js';
import { DeleteUser } from './DeleteUser.js';
import { nameOf, type User, usersQuery } from './queries.js';
import { ResetPassword } from './ResetPassword.js';
import { t } from './texts.js';

const route = getRouteApi('/_app/users/');

const matches = (user: User, text: string): boolean =>
  [user.displayName, user.userName, user.email].some((value) => value?.toLowerCase().includes(text.toLowerCase()));

/** The people of the tenant. */
export function UsersPage(): ReactNode {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const users = useQuery(usersQuery);
  const self = useSession().user.id;
  const mayRead = useCan('tenant.users.read');
  const mayWrite = useCan('tenant.users.write');
  const mayDelete = useCan('tenant.users.delete');
  const [isCreating, setCreating] = useState(false);
  const [reset, setReset] = useState<User | null>(null);
  const [deleted, setDeleted] = useState<User | null>(null);
  const search = (text: string): void => void navigate({ search: { q: text === '' ? undefined : text }, replace: true });
  const columns: Column<User>[] = [
    {
      id: 'name',
      header: t('name'),
      cell: (user) => (
        <span className="row">
          <span className="cut">{nameOf(user)}</span>
          {user.id === self && <Badge>{t('you')}</Badge>}
        </span>
      ),
      sortBy: nameOf,
    },
    { id: 'email', header: t('email'), cell: ({ email }) => email ?? '', sortBy: ({ email }) => email },
    {
      id: 'created',
      header: t('created'),
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      sortBy: ({ createdAt }) => createdAt,
      phone: 'side',
    },
  ];
  return (
    <Page
      title={t('title')}
      count={users.data?.length}
      actions={
        <>
          {mayRead && <LinkButton to="/invites">{t('invites')}</LinkButton>}
          {mayWrite && (
            <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
              {t('create-user')}
            </Button>
          )}
        </>
      }
    >
      <SearchField label={t('search')} value={q} onSearch={search} />
      <DataTable
        label={t('title')}
        rows={users.data?.filter((user) => matches(user, q))}
        rowKey={({ id }) => id}
        columns={columns}
        defaultSort="name"
        rowLink={({ id }) => ({ to: '/users/$userId', params: { userId: id } })}
        rowName={nameOf}
        rowMenu={
          mayWrite || mayDelete
            ? (user) => [
                ...(mayWrite ? [{ label: t('reset'), icon: KeyRound, onSelect: () => setReset(user) }, null] : []),
                ...(mayDelete
                  ? [
                      {
                        label: t('delete'),
                        icon: Trash2,
                        danger: true,
                        disabled: user.id === self,
                        hint: user.id === self ? t('delete-self') : undefined,
                        onSelect: () => setDeleted(user),
                      },
                    ]
                  : []),
              ]
            : undefined
        }
        error={users.error}
        onRetry={() => void users.refetch()}
        empty={q === '' ? <EmptyState title={t('empty')} /> : <EmptyFiltered onClear={() => search('')} total={users.data?.length} />}
      />
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={t('create-user')} keepOnOutsideClick>
        {isCreating && <CreateUserForm onDone={() => setCreating(false)} />}
      </Dialog>
      <ResetPassword user={reset} onClose={() => setReset(null)} />
      <DeleteUser user={deleted} onClose={() => setDeleted(null)} />
    </Page>
  );
}
