import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { type Assignment, assignmentsQuery, type Principal } from '../api/access/permission-assignments.js';
import { type UserGroup, userGroupQuery, userGroupsQuery } from '../api/people/user-groups.js';
import { useCan } from './can.js';

/** The groups that a user is in. */
export interface Memberships {
  readonly groups: readonly Pick<UserGroup, 'id' | 'name' | 'description'>[];
  readonly isPending: boolean;
  /** The caller may not read groups, so that none are known. */
  readonly isHidden: boolean;
  readonly error: Error | null;
}

/** The groups that a principal is a member of. Only users are; the API knows it by the members of each group. */
export function useGroupsOf({ kind, id }: Principal): Memberships {
  const mayRead = useCan('tenant.user-groups.read');
  const { groups, isPending, error } = useGroupsWithMembers(mayRead && kind === 'User');
  return {
    groups: groups.filter(({ members }) => members?.some(({ userId }) => userId === id)),
    isPending,
    isHidden: kind === 'User' && !mayRead,
    error,
  };
}

/** The names of the groups of every user, as far as they are read. */
export interface GroupNames {
  readonly byUser: ReadonlyMap<string, readonly string[]>;
  /** The caller may not read groups, so that none are known. */
  readonly isHidden: boolean;
  readonly error: Error | null;
}

/** The names of the groups that each user is in. */
export function useGroupNames(): GroupNames {
  const mayRead = useCan('tenant.user-groups.read');
  const { groups, error } = useGroupsWithMembers(mayRead);
  const byUser = useMemo(() => {
    const names = new Map<string, string[]>();
    for (const { name, members } of groups) for (const { userId } of members ?? []) names.set(userId, [...(names.get(userId) ?? []), name]);
    return names;
  }, [groups]);
  return { byUser, isHidden: !mayRead, error };
}

/** All groups that have members, as far as they are read. */
function useGroupsWithMembers(isAsked: boolean) {
  const list = useQuery({ ...userGroupsQuery, enabled: isAsked });
  const asked = isAsked ? (list.data ?? []).filter(({ memberCount }) => memberCount > 0) : [];
  return useQueries({
    queries: asked.map((group) => userGroupQuery(group.id)),
    combine: (results) => ({
      groups: results.flatMap(({ data }) => data ?? []),
      isPending: isAsked && (list.isPending || results.some(({ isPending }) => isPending)),
      error: [list, ...results].find(({ error }) => error !== null)?.error ?? null,
    }),
  });
}

/** The assignments of several principals. */
export interface HeldAssignments {
  readonly assignments: readonly Assignment[];
  readonly isPending: boolean;
  readonly error: Error | null;
}

/** Assignments of several principals, one principal after the other. */
export function useAssignmentsOf(principals: readonly Principal[]): HeldAssignments {
  return useQueries({
    queries: principals.map((principal) => assignmentsQuery(principal)),
    combine: (results) => ({
      assignments: results.flatMap(({ data }) => data ?? []),
      isPending: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error !== null)?.error ?? null,
    }),
  });
}
