import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus, UserMinus } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { type Membership, membershipsOfQuery } from '../../api/people/memberships.js';
import { addToGroups, removeMember, userGroupsQuery } from '../../api/people/user-groups.js';
import { changed } from '../../api/queries.js';
import { Button } from '../../ui/button/Button.js';
import { DataTable } from '../../ui/data-table/DataTable.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { ChooseForm } from '../../ui/form/ChooseForm.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { t } from '../../parts/users/texts.js';

/** The groups of a user. Members have all permissions of their groups. */
export function GroupsTab({ userId }: { readonly userId: string }): ReactNode {
  const mayAssign = useCan('user-group.assign-users');
  const { data: groups, error } = useQuery(membershipsOfQuery(userId));
  const [isAdding, setAdding] = useState(false);
  const remove = useMutation({
    mutationFn: ({ id }: Membership) => removeMember(id, userId),
    onSuccess: (_, { id, name }) =>
      void toast(t('left-group', { name }), { undo: () => void addToGroups(userId, [id]).catch(toastProblem) }),
    onError: (failure) => toastProblem(failure),
  });
  return (
    <section className="stack" aria-labelledby="groups">
      <div className="row">
        <h2 id="groups" className="grow">
          {t('tab-groups')}
        </h2>
        {mayAssign && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            {t('add-to-groups')}
          </Button>
        )}
      </div>
      <DataTable<Membership>
        label={t('tab-groups')}
        rows={error === null ? groups : undefined}
        rowKey={({ id }) => id}
        columns={[
          { id: 'name', header: t('name'), cell: ({ name }) => name, sortBy: ({ name }) => name.toLowerCase() },
          { id: 'description', header: t('description'), cell: ({ description }) => description ?? '' },
        ]}
        defaultSort="name"
        rowLink={({ id }) => ({ to: '/user-groups/$userGroupId', params: { userGroupId: id } })}
        rowName={({ name }) => name}
        rowMenu={mayAssign ? (group) => [{ label: t('leave-group'), icon: UserMinus, onSelect: () => remove.mutate(group) }] : undefined}
        error={error}
        onRetry={() => void changed('user-groups')}
        empty={<EmptyState title={t('no-groups')}>{t('no-groups-text')}</EmptyState>}
      />
      <Dialog open={isAdding} onClose={() => setAdding(false)} title={t('add-to-groups')}>
        {isAdding && <AddForm present={groups ?? []} act={(groupIds) => addToGroups(userId, groupIds)} onClose={() => setAdding(false)} />}
      </Dialog>
    </section>
  );
}

interface AddFormProps {
  /** The groups that have the user already. */
  readonly present: readonly Membership[];
  readonly act: (groupIds: string[]) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Groups that do not have the user yet. */
function AddForm({ present, ...form }: AddFormProps): ReactNode {
  const { data = [], isPending, error } = useQuery(userGroupsQuery);
  const isIn = new Set(present.map(({ id }) => id));
  const items = data.filter(({ id }) => !isIn.has(id)).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <ChooseForm<'groupIds'> name="groupIds" label={t('tab-groups')} choices={{ items, isPending, error }} submit={t('add')} {...form} />
  );
}
