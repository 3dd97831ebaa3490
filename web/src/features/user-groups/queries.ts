import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../../api/client.js';
import { FRESH } from '../../api/queries.js';

export type UserGroup = Schemas['UserGroupDto'];
export type Member = Schemas['UserGroupMemberDto'];

export const userGroupsQuery = queryOptions({
  queryKey: ['user-groups', 'list'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/user-groups', { signal }))).items ?? [],
  staleTime: FRESH.list,
});

/** One group with its members. */
export const userGroupQuery = (userGroupId: string) =>
  queryOptions({
    queryKey: ['user-groups', userGroupId],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/user-groups/{userGroupId}', { params: { path: { userGroupId } }, signal })),
  });
