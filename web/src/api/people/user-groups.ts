import { queryOptions } from '@tanstack/react-query';

import type { Versioned } from '../../state/versioned.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { listQuery, type RowOf } from '../lists.js';
import { mutation } from '../mutation.js';
import { FRESH } from '../queries.js';
import { ifMatch, versionOf } from '../versioned.js';

export type UserGroup = RowOf<'user-groups'>;
export type UserGroupDetails = Schemas['UserGroupDetailDto'];
export type Member = Schemas['UserGroupMemberDto'];

export const userGroupsQuery = listQuery('user-groups', FRESH.list);

/** Lists that a change of members concerns: these hold what the group holds. */
const MEMBERSHIP = ['user-groups', 'permission-assignments', 'effective-permissions'] as const;

const pathOf = (userGroupId: string) => ({ path: { userGroupId } });

/** One group with its members. */
export const userGroupQuery = (userGroupId: string) =>
  queryOptions({
    queryKey: ['user-groups', userGroupId],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/user-groups/{userGroupId}', { params: pathOf(userGroupId), signal })),
    staleTime: FRESH.list,
  });

/** Reads a group as it is stored now. */
export const readUserGroup = (userGroupId: string): Promise<Versioned<UserGroupDetails>> =>
  versionOf(api.GET('/api/v1/user-groups/{userGroupId}', { params: pathOf(userGroupId) }));

/** Values of a new or changed group. */
export interface UserGroupValues {
  readonly name: string;
  readonly description: string | null;
}

export const createUserGroup = mutation(['user-groups'], (body: UserGroupValues) => bodyOf(api.POST('/api/v1/user-groups', { body })));

/** Changes a group, if it still has the state with the tag; null is for any. */
export const updateUserGroup = mutation(['user-groups'], (userGroupId: string, body: UserGroupValues, tag: string | null) =>
  versionOf(api.PUT('/api/v1/user-groups/{userGroupId}', { params: pathOf(userGroupId), body, headers: ifMatch(tag) })),
);

/** Deletes a group, if it still has the state with the tag; null is for any. */
export const deleteUserGroup = mutation(MEMBERSHIP, (userGroupId: string, tag: string | null) =>
  api.DELETE('/api/v1/user-groups/{userGroupId}', { params: pathOf(userGroupId), headers: ifMatch(tag) }),
);

export const addMembers = mutation(MEMBERSHIP, (userGroupId: string, userIds: readonly string[]) => postMembers(userGroupId, userIds));

/** Adds a user to several groups. */
export const addToGroups = mutation(
  MEMBERSHIP,
  async (userId: string, userGroupIds: readonly string[]) => {
    for (const userGroupId of userGroupIds) await postMembers(userGroupId, [userId]);
  },
  { alsoAfterFailure: true },
);

export const removeMember = mutation(MEMBERSHIP, (userGroupId: string, userId: string) =>
  api.DELETE('/api/v1/user-groups/{userGroupId}/members', { params: pathOf(userGroupId), body: { userIds: [userId] } }),
);

const postMembers = (userGroupId: string, userIds: readonly string[]) =>
  api.POST('/api/v1/user-groups/{userGroupId}/members', { params: pathOf(userGroupId), body: { userIds: [...userIds] } });
