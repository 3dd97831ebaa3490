import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus, UserPlus } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useGroupNames } from '../../access/groups.js';
import { presetsQuery } from '../../api/access/permission-assignments.js';
import { standingsQuery } from '../../api/people/user-standing.js';
import { useSession } from '../../access/session.js';
import { changed } from '../../api/queries.js';
import { Button } from '../../ui/button/Button.js';
import { DataTable } from '../../ui/data-table/DataTable.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { columnsFor } from './columns.js';
import { CreateUserDialog } from './CreateUserDialog.js';
import { InviteDialog } from './InviteDialog.js';
import { nameOf, usersQuery } from '../../api/people/users.js';
import { matchesFilters, type UserFilters } from './standing.js';
import { StandingFilters } from './StandingFilters.js';
import { t as standingText } from './standing-texts.js';
import { t } from '../../parts/users/texts.js';
import { actsOn } from './user-acts.js';
import type { ChosenAct } from './UserDialogForms.js';
import { UserDialogs } from './UserDialogs.js';

const route = getRouteApi('/_app/users/');

/** The people of the tenant. */
export function UsersPage(): ReactNode {
  const { sort, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const users = useQuery(usersQuery);
  const standings = useQuery(standingsQuery);
  const self = useSession().user.id;
  const mayRead = useCan('tenant.users.read');
  const mayWrite = useCan('tenant.users.write');
  const mayDelete = useCan('tenant.users.delete');
  const [isCreating, setCreating] = useState(false);
  const [isInviting, setInviting] = useState(false);
  const [chosen, setChosen] = useState<ChosenAct | null>(null);
  const groups = useGroupNames();
  const presets = useQuery({ ...presetsQuery, enabled: useCan('tenant.permissions.read') });
  const columns = columnsFor({
    self,
    standings: standings.data,
    groups: groups.isHidden ? null : (groups.byUser ?? new Map<string, readonly string[]>()),
    presets: presets.data ?? [],
  });
  // Standing, groups and presets belong to the rows: without them the list would show less than there is.
  const areGroupsKnown = groups.isHidden || groups.byUser !== undefined || groups.error !== null;
  const isComplete = areGroupsKnown && !presets.isLoading && !standings.isLoading;
  const change = (part: UserFilters & { readonly sort?: string }): void =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const clear = (): void => change({ q: undefined, standing: undefined, factor: undefined });
  const invite = (): void => {
    setCreating(false);
    setInviting(true);
  };
  const missing = [standings, groups, presets].find(({ error }) => error !== null);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title={t('title')}
      count={users.data?.length}
      actions={
        <>
          {mayRead && <LinkButton to="/sign-ins">{standingText('log')}</LinkButton>}
          {mayRead && <LinkButton to="/invites">{t('invites')}</LinkButton>}
          {mayWrite && (
            <Button icon={UserPlus} onClick={invite}>
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
        <ErrorState error={missing.error} onRetry={() => void changed('users', 'user-groups', 'permission-presets')} />
      )}
      <div className="row wrap">
        <SearchField label={t('search')} value={filters.q ?? ''} onSearch={(text) => change({ q: text === '' ? undefined : text })} />
        <StandingFilters filters={filters} onChange={change} />
      </div>
      <DataTable
        label={t('title')}
        rows={isComplete ? users.data?.filter((user) => matchesFilters(user, standings.data?.get(user.id), filters)) : undefined}
        rowKey={({ id }) => id}
        columns={columns}
        sort={sort ?? 'name'}
        onSortChange={(by) => change({ sort: by === 'name' ? undefined : by })}
        rowLink={({ id }) => ({ to: '/users/$userId', params: { userId: id } })}
        rowName={nameOf}
        rowMenu={
          mayWrite || mayDelete
            ? (user) => {
                const standing = standings.data?.get(user.id);
                return actsOn(user, standing, { self, mayWrite, mayDelete }, (act) => setChosen({ act, user, standing }));
              }
            : undefined
        }
        error={users.error}
        onRetry={() => void users.refetch()}
        empty={isFiltered ? <EmptyFiltered onClear={clear} total={users.data?.length} /> : <EmptyState title={t('empty')} />}
      />
      <CreateUserDialog open={isCreating} onClose={() => setCreating(false)} onInvite={invite} />
      <InviteDialog open={isInviting} onClose={() => setInviting(false)} />
      <UserDialogs chosen={chosen} onClose={() => setChosen(null)} />
    </Page>
  );
}
