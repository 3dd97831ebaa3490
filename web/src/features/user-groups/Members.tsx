import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus, UserMinus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { api } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { formatInstant, formatRelative } from '../../i18n/format.js';
import { Button } from '../../ui/button/Button.js';
import { type ComboboxItem, MultiCombobox } from '../../ui/combobox/Combobox.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { Form } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { nameOf, usersQuery } from '../users/queries.js';
import { type Member, userGroupQuery } from './queries.js';
import { t } from './texts.js';

const memberName = ({ displayName, userName, userId }: Member): string => nameOf({ displayName, userName, id: userId });

const COLUMNS: readonly Column<Member>[] = [
  { id: 'name', header: t('name'), cell: memberName, sortBy: memberName },
  { id: 'user', header: t('user-name'), cell: ({ userName }) => userName, sortBy: ({ userName }) => userName },
  {
    id: 'last-login',
    header: t('last-login'),
    cell: ({ lastLogin }) => (lastLogin === null ? t('never') : <span title={formatInstant(lastLogin)}>{formatRelative(lastLogin)}</span>),
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
  const path = { userGroupId };
  const add = useMutation({
    async mutationFn(userIds: string[]) {
      await api.POST('/api/v1/user-groups/{userGroupId}/members', { params: { path }, body: { userIds } });
      setAdding(false);
      await changed('user-groups');
    },
  });
  const remove = useMutation({
    async mutationFn(member: Member) {
      await api.DELETE('/api/v1/user-groups/{userGroupId}/members', { params: { path }, body: { userIds: [member.userId] } });
      toast(t('removed', { name: memberName(member) }), {
        undo: () => add.mutate([member.userId], { onError: (error) => toastProblem(error) }),
      });
      await changed('user-groups');
    },
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
      <Dialog
        open={isAdding}
        onClose={() => {
          add.reset();
          setAdding(false);
        }}
        title={t('add')}
      >
        {isAdding && (
          <AddForm
            members={members ?? []}
            busy={add.isPending}
            error={add.error}
            onAdd={(userIds) => add.mutate(userIds)}
            onClose={() => setAdding(false)}
          />
        )}
      </Dialog>
    </section>
  );
}

interface AddFormProps {
  readonly members: readonly Member[];
  readonly busy: boolean;
  readonly error: unknown;
  readonly onAdd: (userIds: string[]) => void;
  readonly onClose: () => void;
}

function AddForm({ members, busy, error, onAdd, onClose }: AddFormProps): ReactNode {
  const users = useQuery(usersQuery);
  const [chosen, setChosen] = useState<ComboboxItem[]>([]);
  const present = new Set(members.map(({ userId }) => userId));
  const items = (users.data ?? [])
    .filter(({ id }) => !present.has(id))
    .map((user) => ({ value: user.id, label: nameOf(user), detail: user.email ?? undefined }));
  return (
    <Form error={error} onSubmit={() => onAdd(chosen.map(({ value }) => value))}>
      <MultiCombobox
        name="userIds"
        label={t('users')}
        items={items}
        value={chosen}
        onValueChange={setChosen}
        busy={users.isPending}
        error={users.error}
      />
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={busy} disabled={chosen.length === 0}>
          {t('add')}
        </Button>
      </FormActions>
    </Form>
  );
}
