import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import type { Versioned } from '../../state/versioned.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { FRESH } from '../queries.js';
import { ifMatch, versionOf } from '../versioned.js';

export type Profile = Schemas['ProfileResponseDto'];
export type OwnSession = Schemas['OwnSessionDto'];
export type SecurityEvent = Schemas['SecurityEventDto'];

/** The resources that ways to sign in are part of: all of the account's pages, and the account's part of the session. */
export const ACCOUNT_CHANGES = ['account', 'session'] as const;

/** Entries of the security log that are read at once. */
const LOG_PAGE = 25;

/** Reads the profile with the tag of its state. */
export const readProfile = (signal?: AbortSignal): Promise<Versioned<Profile>> => versionOf(api.GET('/account/profile', { signal }));

/** The profile with the tag of its state. */
export const profileQuery = queryOptions({ queryKey: ['account', 'profile'], queryFn: ({ signal }) => readProfile(signal) });

/** Changes the name that others see, if the profile still has the state with the tag; null is for any. */
export const setDisplayName = mutation(ACCOUNT_CHANGES, (displayName: string, tag: string | null) =>
  versionOf(api.PUT('/account/profile', { body: { displayName }, headers: ifMatch(tag) })),
);

/** Sends a mail to the new address. The account keeps the former one until it is confirmed. */
export const changeEmail = (newEmail: string): Promise<unknown> => api.POST('/account/email/change', { body: { newEmail } });

export const changePassword = mutation(ACCOUNT_CHANGES, (body: { readonly currentPassword: string; readonly newPassword: string }) =>
  api.POST('/account/password', { body }),
);

/** Deletes the account of the user, who confirms its address. */
export const deleteAccount = (email: string): Promise<unknown> => api.DELETE('/account', { body: { email } });

/** The browsers and programs in which the user is signed in. */
export const ownSessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/account/sessions', { signal }))).items,
});

export const endSession = mutation(ACCOUNT_CHANGES, (sessionId: string) =>
  api.DELETE('/account/sessions/{sessionId}', { params: { path: { sessionId } } }),
);

/** Ends all sessions but this one, and returns their number. */
export const endOtherSessions = mutation(ACCOUNT_CHANGES, async () => (await bodyOf(api.POST('/account/sessions/end-others'))).count);

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
