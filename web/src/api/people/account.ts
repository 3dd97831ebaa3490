import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { changed, FRESH } from '../queries.js';
import { versionOf } from '../versioned.js';

export type Passkey = Schemas['PasskeyDto'];
export type ConnectedLogin = Schemas['ExternalLoginDto'];
export type OwnSession = Schemas['OwnSessionDto'];
export type SecurityEvent = Schemas['SecurityEventDto'];

/** Entries of the security log that are read at once. */
const LOG_PAGE = 25;

/** The profile with the tag of its state. */
export const profileQuery = queryOptions({
  queryKey: ['account', 'profile'],
  queryFn: ({ signal }) => versionOf(api.GET('/account/profile', { signal })),
});

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/passkeys', { signal })),
});

export const twoFactorQuery = queryOptions({
  queryKey: ['account', 'two-factor'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/two-factor', { signal })),
});

/** Logins at other providers that sign the user in. */
export const loginsQuery = queryOptions({
  queryKey: ['account', 'logins'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/account/external/logins', { signal }))).items,
});

/** The browsers and programs in which the user is signed in. */
export const ownSessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/account/sessions', { signal }))).items,
});

/** The user's own security log, the newest entries first. */
export const securityLogQuery = infiniteQueryOptions({
  queryKey: ['account', 'security-log'],
  queryFn: async ({ pageParam, signal }) => {
    const query = { pageSize: LOG_PAGE, after: pageParam ?? undefined };
    return (await bodyOf(api.GET('/account/security-log', { params: { query }, signal }))).items;
  },
  initialPageParam: null as string | null,
  getNextPageParam: (last) => (last.length < LOG_PAGE ? null : (last.at(-1)?.id ?? null)),
  staleTime: FRESH.usual,
});

/** Follows a change of the user's ways to sign in: all of the account's pages are read again, and the account's part of the session. */
export const accountChanged = (): Promise<void> => changed('account', 'session');
