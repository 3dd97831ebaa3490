import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { FRESH } from '../queries.js';

export type Membership = Schemas['UserMembershipDto'];

/** For every user in a group, the number of groups and the first names. */
export const membershipsQuery = queryOptions({
  queryKey: ['user-groups', 'memberships'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/account/memberships', { signal }))).items ?? [],
  staleTime: FRESH.list,
});

/** All groups of one user. */
export const membershipsOfQuery = (userId: string) =>
  queryOptions({
    queryKey: ['user-groups', 'memberships', userId],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/account/memberships/{userId}', { params: { path: { userId } }, signal }))).items ?? [],
    staleTime: FRESH.list,
  });
