import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { FRESH } from '../queries.js';

/** The personal access tokens of the user, without their secrets. */
export const tokensQuery = queryOptions({
  queryKey: ['own-tokens'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/personal-access-tokens', { signal }))).items ?? [],
  staleTime: FRESH.list,
});

/** The personal access tokens of another user, without their secrets. */
export const tokensOfQuery = (userId: string) =>
  queryOptions({
    queryKey: ['tokens', userId],
    async queryFn({ signal }) {
      const params = { path: { userId } };
      return (await bodyOf(api.GET('/api/v1/users/{userId}/personal-access-tokens', { params, signal }))).items ?? [];
    },
    staleTime: FRESH.list,
  });

/** Creates a token of the user. Returns its value, which cannot be read again. */
export const createToken = mutation(
  ['own-tokens'],
  async (body: Schemas['CreatePersonalAccessTokenRequestDto']) =>
    (await bodyOf(api.POST('/api/v1/personal-access-tokens', { body }))).plainTextToken,
);

export const renameToken = mutation(['own-tokens'], (id: string, name: string) =>
  api.PUT('/api/v1/personal-access-tokens/{id}', { params: { path: { id } }, body: { name } }),
);

export const deleteToken = mutation(['own-tokens'], (id: string) =>
  api.DELETE('/api/v1/personal-access-tokens/{id}', { params: { path: { id } } }),
);

/** Deletes a token of another user. */
export const deleteTokenOf = mutation(['tokens', 'own-tokens'], (userId: string, tokenId: string) =>
  api.DELETE('/api/v1/users/{userId}/personal-access-tokens/{tokenId}', { params: { path: { userId, tokenId } } }),
);
