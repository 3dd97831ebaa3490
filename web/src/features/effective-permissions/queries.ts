import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';

import { useCan } from '../../access/can.js';
import type { Scope } from '../../access/matrix/rules.js';
import { type Assignment, assignmentsQuery, type Principal } from '../../access/permissions.js';
import { api, bodyOf, type Schemas } from '../../api/client.js';
import { userGroupQuery, userGroupsQuery } from '../user-groups/queries.js';

export type Verdict = Schemas['EffectivePermissionQueryResponseDto'];

/** Whether a principal holds a permission at a scope, as the service decides it. */
export const verdictQuery = (principal: Principal, permissionName: string, scope: Scope) =>
  queryOptions({
    queryKey: ['effective-permissions', principal, permissionName, scope],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/effective-permissions/{principalId}', {
          params: {
            path: { principalId: principal.id },
            query: {
              principalKind: principal.kind,
              permissionName,
              scopeKind: scope.kind,
              ...(scope.id !== null && { scopeId: scope.id }),
            },
          },
          signal,
        }),
      ),
  });

/** The groups that a principal is a member of, as far as the caller may read groups. */
function useGroupsOf({ kind, id }: Principal): readonly Principal[] {
  const isAsked = useCan('tenant.user-groups.read') && kind === 'User';
  const groups = useQuery({ ...userGroupsQuery, enabled: isAsked });
  return useQueries({
    queries: isAsked ? (groups.data ?? []).filter(({ memberCount }) => memberCount > 0).map((group) => userGroupQuery(group.id)) : [],
    combine: (results) =>
      results.flatMap(({ data }) =>
        data?.members?.some(({ userId }) => userId === id) === true ? [{ kind: 'UserGroup' as const, id: data.id }] : [],
      ),
  });
}

/** The assignments of a principal and of its groups that name a permission. */
export function useAssignmentsOf(principal: Principal, permissionName: string): readonly Assignment[] {
  const holders = [principal, ...useGroupsOf(principal)];
  return useQueries({
    queries: holders.map((holder) => assignmentsQuery(holder)),
    combine: (results) => results.flatMap(({ data }) => (data ?? []).filter((each) => each.permissionName === permissionName)),
  });
}
