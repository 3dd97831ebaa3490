import { queryOptions } from '@tanstack/react-query';

import { atMost } from './at-most.js';
import { api, bodyOf, type Schemas } from './client.js';
import { listQuery, type RowOf } from './lists.js';
import { FRESH } from './queries.js';

export type UserGroup = RowOf<'user-groups'>;
export type Member = Schemas['UserGroupMemberDto'];

export const userGroupsQuery = listQuery('user-groups', FRESH.list);

/** Groups that are read at a time: some pages ask for all of them. */
const inTurn = atMost(6);

/** One group with its members. */
export const userGroupQuery = (userGroupId: string) =>
  queryOptions({
    queryKey: ['user-groups', userGroupId],
    queryFn: ({ signal }) =>
      inTurn(signal, () => bodyOf(api.GET('/api/v1/user-groups/{userGroupId}', { params: { path: { userGroupId } }, signal }))),
    staleTime: FRESH.list,
  });
