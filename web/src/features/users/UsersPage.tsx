import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { KeyRound, Plus, Trash2, UserPlus } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useGroupNames } from '../../access/groups.js';
import { presetsQuery } from '../../api/access/permission-assignments.js';
import { useSession } from '../../access/session.js';
import { changed } from '../../api/queries.js';
import { Button } from '../../ui/button/Button.js';
import { DataTable } from '../../ui/data-table/DataTable.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import type { MenuEntry } from '../../ui/menu/entries.js';
import { Page } from '../../ui/page/Page.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { columnsFor } from './columns.js';
import { CreateUserForm } from './CreateUserForm.js';
import { DeleteUser } from './DeleteUser.js';
import { InviteDialog } from './InviteDialog.js';
import { type Invite, invitesQuery } from '../../api/people/invites.js';
import { nameOf, type User, usersQuery } from '../../api/people/users.js';
import { ResetPassword } from './ResetPassword.js';
import { t } from '../../parts/users/texts.js';
import { WithdrawInvite } from './WithdrawInvite.js';

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
  const [isInviting, setInviting] = useState(false);
  const [withdrawn, setWithdrawn] = useState<Invite | null>(null);
  const invites = useQuery({ ...invitesQuery, enabled: mayRead });
  const inviteOf = ({ email }: User): Invite | undefined => invites.data?.find(({ inviteeEmail }) => inviteeEmail === email?.toLowerCase());
  const groups = useGroupNames();
  const presets = useQuery({ ...presetsQuery, enabled: useCan('tenant.permissions.read') });
  const columns = columnsFor({
    self,
    isInvited: (user) => inviteOf(user) !== undefined,
    groups: groups.isHidden ? null : (groups.byUser ?? new Map<string, readonly string[]>()),
    presets: presets.data ?? [],
  });
  // Groups and presets belong to the rows: without them the list would show less than there is.
  const isComplete = (groups.isHidden || groups.byUser !== undefined || groups.error !== null) && !presets.isLoading && !invites.isLoading;
  const search = (text: string): void => void navigate({ search: { q: text === '' ? undefined : text }, replace: true });
  const missing = [invites, groups, presets].find(({ error }) => error !== null);
  const menuOf = (user: User): MenuEntry[] => {
    const invite = inviteOf(user);
    const isSelf = user.id === self;
    if (invite !== undefined) {
      return mayWrite ? [{ label: t('withdraw'), icon: Trash2, danger: true, onSelect: () => setWithdrawn(invite) }] : [];
    }
    return [
      ...(mayWrite ? [{ label: t('reset'), icon: KeyRound, onSelect: () => setReset(user) }, null] : []),
      ...(mayDelete
        ? [
            {
              label: t('delete'),
              icon: Trash2,
              danger: true,
              disabled: isSelf,
              hint: isSelf ? t('delete-self') : undefined,
              onSelect: () => setDeleted(user),
            },
          ]
        : []),
    ];
  };
  return (
    <Page
      title={t('title')}
      count={users.data?.length}
      actions={
        <>
          {mayRead && <LinkButton to="/invites">{t('invites')}</LinkButton>}
          {mayWrite && (
            <Button icon={UserPlus} onClick={() => setInviting(true)}>
              {t('invite')}
            </Button>
          )}
          {mayWrite && (
            <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
              {t('create-user')}
            </Button>
          )}
        </>
      }
    >
      {users.data !== undefined && missing !== undefined && (
        <ErrorState error={missing.error} onRetry={() => void changed('invites', 'user-groups', 'permission-presets')} />
      )}
      <SearchField label={t('search')} value={q} onSearch={search} />
      <DataTable
        label={t('title')}
        rows={isComplete ? users.data?.filter((user) => matches(user, q)) : undefined}
        rowKey={({ id }) => id}
        columns={columns}
        defaultSort="name"
        rowLink={({ id }) => ({ to: '/users/$userId', params: { userId: id } })}
        rowName={nameOf}
        rowMenu={mayWrite || mayDelete ? menuOf : undefined}
        error={users.error}
        onRetry={() => void users.refetch()}
        empty={q === '' ? <EmptyState title={t('empty')} /> : <EmptyFiltered onClear={() => search('')} total={users.data?.length} />}
      />
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={t('create-user')} keepOnOutsideClick>
        {isCreating && <CreateUserForm onDone={() => setCreating(false)} />}
      </Dialog>
      <InviteDialog open={isInviting} onClose={() => setInviting(false)} />
      <WithdrawInvite invite={withdrawn} onClose={() => setWithdrawn(null)} />
      <ResetPassword user={reset} onClose={() => setReset(null)} />
      <DeleteUser user={deleted} onClose={() => setDeleted(null)} />
    </Page>
  );
}
