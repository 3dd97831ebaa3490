import { QueryObserver } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';

import { ProblemError } from '../problem/problem.js';
import { mutation } from './mutation.js';
import { queryClient } from './queries.js';

const isRead = (resource: 'users' | 'invites' | 'tags' | 'change-log'): boolean =>
  queryClient.getQueryState([resource])?.isInvalidated === false;

const refuse = (): Promise<never> => Promise.reject(new Error('refused'));

beforeEach(() => {
  queryClient.clear();
  for (const resource of ['users', 'invites', 'tags', 'change-log'] as const) queryClient.setQueryData([resource], []);
});

describe('a mutation', () => {
  it('passes on its arguments and the answer', async () => {
    const add = mutation(['users'], (a: number, b: number) => Promise.resolve(a + b));
    expect(await add(2, 3)).toBe(5);
  });

  it('has the changed resources and the change log read again, and no others', async () => {
    await mutation(['users', 'invites'], () => Promise.resolve())();
    expect([isRead('users'), isRead('invites'), isRead('change-log'), isRead('tags')]).toEqual([false, false, false, true]);
  });

  it('does not wait until they are read', async () => {
    const observer = new QueryObserver(queryClient, { queryKey: ['users'], queryFn: () => new Promise<never>(() => undefined) });
    const stop = observer.subscribe(() => undefined);
    expect(await mutation(['users'], () => Promise.resolve('answer'))()).toBe('answer');
    expect(queryClient.isFetching({ queryKey: ['users'] })).toBe(1);
    stop();
  });

  it('that failed has nothing read again', async () => {
    await expect(mutation(['users'], refuse)()).rejects.toThrow('refused');
    expect([isRead('users'), isRead('change-log')]).toEqual([true, true]);
  });

  it.each([412, 404])('that is refused with status %d has them read again, because the shown state is outdated', async (status) => {
    const refused = mutation(['users'], () => Promise.reject(new ProblemError(status, {})));
    await expect(refused()).rejects.toThrow(ProblemError);
    expect([isRead('users'), isRead('change-log')]).toEqual([false, false]);
  });

  it('that may fail in the middle has its resources read again then, too', async () => {
    await expect(mutation(['users'], refuse, { alsoAfterFailure: true })()).rejects.toThrow('refused');
    expect([isRead('users'), isRead('change-log')]).toEqual([false, false]);
  });
});
