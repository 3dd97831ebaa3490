import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { FRESH } from '../queries.js';

export type Standing = Schemas['UserStandingDto'];
export type ResentInvite = Schemas['ResentInviteDto'];
export type SignInEvent = Schemas['SecurityEventDto'];
export type LogPart = Schemas['SecurityLogPart'];

/** Entries of the sign-in log that are read at once. */
const LOG_PAGE = 50;

/** State, last sign-in and second factor of each user, by the user's id. */
export const standingsQuery = queryOptions({
  queryKey: ['users', 'standing'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/account/users', { signal }))).items,
  select: (items) => new Map(items.map((item) => [item.userId, item])),
  staleTime: FRESH.list,
});

const about = <Path>(path: Path) => ({ params: { path } });

/** Signs a user out everywhere and refuses every sign-in until the suspension is lifted. */
export const suspendUser = mutation(['users'], (userId: string) => api.PUT('/account/users/{userId}/suspension', about({ userId })));

/** Lets a suspended user sign in again. */
export const liftSuspension = mutation(['users'], (userId: string) => api.DELETE('/account/users/{userId}/suspension', about({ userId })));

/** Makes a new link for an invitation, which ends the former one, and mails it. The link cannot be read again. */
export const resendInvite = mutation(['invites', 'users'], (inviteId: string): Promise<ResentInvite> =>
  bodyOf(api.POST('/account/invites/{inviteId}/resend', { ...about({ inviteId }), body: {} })),
);

/** Changes when the link of an invitation stops working. */
export const setInviteExpiry = mutation(['invites', 'users'], (inviteId: string, expiresAt: string) =>
  api.PUT('/account/invites/{inviteId}/expiry', { ...about({ inviteId }), body: { expiresAt } }),
);

/** The sign-in log of one user, or of all users of the tenant; the newest entries first. */
export const signInLogQuery = (userId: string | undefined, part: LogPart | undefined) =>
  infiniteQueryOptions({
    queryKey: ['users', 'sign-ins', userId, part],
    queryFn: async ({ pageParam, signal }) => {
      const query = { pageSize: LOG_PAGE, after: pageParam ?? undefined, userId, part };
      return (await bodyOf(api.GET('/account/security-log/tenant', { params: { query }, signal }))).items;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length < LOG_PAGE ? null : (last.at(-1)?.id ?? null)),
    staleTime: FRESH.usual,
  });
