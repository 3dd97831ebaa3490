import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';

import { api, bodyOf, hooks, type Schemas } from '../api/client.js';
import { ProblemError } from '../problem/problem.js';
import { queryClient } from '../api/queries.js';
import { forgetUser } from '../state/store.js';

export type Session = Schemas['CallerSessionDto'];

const KEY = ['session'] as const;

/** The first user whom this page knew. */
let userOfPage: string | null = null;

async function read(signal: AbortSignal): Promise<Session | null> {
  const since = hooks.signIns;
  try {
    const session = await bodyOf(api.GET('/account/session', { signal }));
    userOfPage ??= session.user.id;
    if (userOfPage !== session.user.id) return await loadForAnother();
    hooks.tenantId = session.tenant.id;
    return session;
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 401) throw error;
    // The page had a user: it asks to sign in again, so that its contents are not lost.
    if (hooks.tenantId === null || hooks.onSignedOut === null) return null;
    await hooks.onSignedOut(since);
    return read(signal);
  }
}

/**
 * Gives another user a fresh page: nothing of the first user's data, sessions and unfinished work is left in it. Where they sign in they come
 * from another page; elsewhere the address is the first user's.
 */
export async function loadForAnother(): Promise<never> {
  await forgetUser();
  location.replace(location.pathname === '/signin' ? location.href : '/');
  return new Promise(() => undefined);
}

/** The signed-in user, their permissions and the features of the server; null while nobody is signed in. */
export const sessionQuery = queryOptions({ queryKey: KEY, queryFn: ({ signal }) => read(signal), staleTime: 60_000 });

/** The session of a page that only signed-in users see. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new ProblemError(401, { title: 'Nobody is signed in.' });
  return data;
}

/** Forgets everything that the last user saw, and reads who is signed in now. */
export async function renewSession(): Promise<Session | null> {
  hooks.tenantId = null;
  hooks.signIns += 1;
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}
