import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from './client.js';
import { FRESH } from './queries.js';

export type User = Schemas['UserResponseDto'];
export type Invite = Schemas['InviteResponseDto'];

export const usersQuery = queryOptions({
  queryKey: ['users', 'list'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/users', { signal }))).items ?? [],
  staleTime: FRESH.list,
});

/** Those who were invited and have not accepted yet. */
export const invitesQuery = queryOptions({
  queryKey: ['invites', 'list'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/invites', { signal }))).items ?? [],
  staleTime: FRESH.list,
});

/** The personal access tokens of a user, without their secrets. */
export const tokensQuery = (userId: string) =>
  queryOptions({
    queryKey: ['tokens', userId],
    async queryFn({ signal }) {
      const params = { path: { userId } };
      return (await bodyOf(api.GET('/api/v1/users/{userId}/personal-access-tokens', { params, signal }))).items ?? [];
    },
    staleTime: FRESH.list,
  });

/** Display name of a user: the chosen name, else the one for signing in. */
export const nameOf = ({ displayName, userName, id }: Pick<User, 'displayName' | 'userName' | 'id'>): string =>
  [displayName, userName].find((name) => name !== null && name !== '') ?? id;
