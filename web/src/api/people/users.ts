import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { FRESH } from '../queries.js';

export type User = Schemas['UserResponseDto'];

export const usersQuery = queryOptions({
  queryKey: ['users', 'list'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/users', { signal }))).items ?? [],
  staleTime: FRESH.list,
});

interface NewUser {
  readonly userName: string;
  readonly password: string;
  /** Presets whose permissions the user gets. */
  readonly presetNames: string[];
}

export const createUser = mutation(['users'], (body: NewUser) => bodyOf(api.POST('/api/v1/users', { body })));

export const deleteUser = mutation(['users', 'invites', 'user-groups'], (userId: string) =>
  api.DELETE('/api/v1/users/{userId}', { params: { path: { userId } } }),
);

/** Gives a user a temporary password, and returns it. It cannot be read again. */
export const resetPasswordOf = mutation(
  ['users'],
  async (userId: string) =>
    (await bodyOf(api.POST('/api/v1/users/{userId}/reset-password', { params: { path: { userId } } }))).temporaryPassword,
);

export { nameOf } from '../../model/user-name.js';
