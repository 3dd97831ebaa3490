import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus, UserMinus } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { Button } from '../../ui/button/Button.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { ChooseForm } from '../../ui/form/ChooseForm.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { nameOf, usersQuery } from '../../api/people/users.js';
import { addMembers, type Member, removeMember, userGroupQuery } from '../../api/people/user-groups.js';
import { t } from './texts.js';

const memberName = ({ displayName, userName, userId }: Member): string => nameOf({ displayName, userName, id: userId });

const COLUMNS: readonly Column<Member>[] = [
  { id: 'name', header: t('name'), cell: memberName, sortBy: memberName },
  { id: 'user', header: t('user-name'), cell: ({ userName }) => userName, sortBy: ({ userName }) => userName },
  {
    id: 'last-login',
    header: t('last-login'),
    cell: ({ lastLogin }) => (lastLogin === null ? t('never') : <RelativeTime at={lastLogin} />),
    sortBy: ({ lastLogin }) => lastLogin,
    phone: 'side',
  },
];

interface MembersProps {
  readonly userGroupId: string;
}

/** The members of a group: added by name, taken out with a way back. */
export function Members({ userGroupId }: MembersProps): ReactNode {
  const group = useQuery(userGroupQuery(userGroupId));
  const members = group.data?.members ?? undefined;
  const mayAssign = useCan('user-group.assign-users');
  const mayReadUsers = useCan('tenant.users.read');
  const [isAdding, setAdding] = useState(false);
  const remove = useMutation({
    mutationFn: ({ userId }: Member) => removeMember(userGroupId, userId),
    onSuccess: (_, member) =>
      void toast(t('removed', { name: memberName(member) }), {
        undo: () => void addMembers(userGroupId, [member.userId]).catch(toastProblem),
      }),
    onError: (error) => toastProblem(error),
  });
  const button =
    mayAssign && mayReadUsers ? (
      <Button icon={Plus} onClick={() => setAdding(true)}>
        {t('add')}
      </Button>
    ) : undefined;
  return (
    <section className="stack" aria-labelledby="members">
      <div className="row">
        <h2 id="members" className="grow">
          {t('members')}
        </h2>
        {button}
      </div>
      <DataTable
        label={t('members')}
        rows={members}
        rowKey={({ userId }) => userId}
        error={group.error}
        onRetry={() => void group.refetch()}
        columns={COLUMNS}
        defaultSort="name"
        rowLink={({ userId }) => ({ to: '/users/$userId', params: { userId } })}
        rowName={memberName}
        rowMenu={mayAssign ? (member) => [{ label: t('remove'), icon: UserMinus, onSelect: () => remove.mutate(member) }] : undefined}
        empty={<EmptyState title={t('no-members')}>{t('no-members-text')}</EmptyState>}
      />
      <Dialog open={isAdding} onClose={() => setAdding(false)} title={t('add')}>
        {isAdding && (
          <AddForm members={members ?? []} act={(userIds) => addMembers(userGroupId, userIds)} onClose={() => setAdding(false)} />
        )}
      </Dialog>
    </section>
  );
}

interface AddFormProps {
  readonly members: readonly Member[];
  readonly act: (userIds: string[]) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Users who are no members yet. */
function AddForm({ members, ...form }: AddFormProps): ReactNode {
  const { data = [], isPending, error } = useQuery(usersQuery);
  const present = new Set(members.map(({ userId }) => userId));
  const items = data
    .filter(({ id }) => !present.has(id))
    .map((user) => ({ value: user.id, label: nameOf(user), detail: user.email ?? undefined }));
  return <ChooseForm<'userIds'> name="userIds" label={t('users')} choices={{ items, isPending, error }} submit={t('add')} {...form} />;
}
