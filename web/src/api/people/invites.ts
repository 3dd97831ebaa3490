import { queryOptions } from '@tanstack/react-query';

import type { ActHeaders } from '../act.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { FRESH } from '../queries.js';

export type Invite = Schemas['InviteResponseDto'];

/** Those who were invited and have not accepted yet. */
export const invitesQuery = queryOptions({
  queryKey: ['invites', 'list'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/invites', { signal }))).items ?? [],
  staleTime: FRESH.list,
});

/** Invites a person by e-mail. Returns the address at which they set a password, which cannot be read again. */
export const invite = mutation(
  ['invites', 'users'],
  async (inviteeEmail: string, headers?: ActHeaders) =>
    (await bodyOf(api.POST('/api/v1/invites', { body: { inviteeEmail }, headers }))).inviteUrl,
);

/** Takes an invitation back, and deletes the account that waits for it. */
export const withdrawInvite = mutation(['invites', 'users'], (inviteId: string) =>
  api.DELETE('/api/v1/invites/{inviteId}', { params: { path: { inviteId } } }),
);
