import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ProblemError } from '../../../problem/problem.js';
import { Reconnection } from './reconnection.js';

describe('a session that comes back', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A reconnection whose attempts are answered by hand, and what it has said. */
  function reconnected() {
    const said: string[] = [];
    const attempts: { readonly fail: (error: Error) => void }[] = [];
    const reconnection = new Reconnection({
      connect: () => new Promise((_, fail) => void attempts.push({ fail })),
      onWaiting: (attempt, most) => void said.push(`waiting ${attempt} of ${most}`),
      onOffline: () => void said.push('offline'),
      onFailed: ({ message }) => void said.push(`failed: ${message}`),
    });
    return { reconnection, attempts, said };
  }

  it('makes no further attempt once it was stopped during one', async () => {
    const { reconnection, attempts, said } = reconnected();
    reconnection.lost();
    await vi.advanceTimersByTimeAsync(3000);
    expect(attempts).toHaveLength(1);
    reconnection.stop();
    attempts[0]?.fail(new ProblemError(0, { title: 'Not connected.' }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attempts).toHaveLength(1);
    expect(said).toEqual(['waiting 1 of 5']);
  });

  it('tries again after an attempt that failed', async () => {
    const { reconnection, attempts, said } = reconnected();
    reconnection.lost();
    await vi.advanceTimersByTimeAsync(3000);
    attempts[0]?.fail(new ProblemError(409, { detail: 'Busy.' }));
    await vi.advanceTimersByTimeAsync(3000);
    expect(attempts).toHaveLength(2);
    expect(said).toEqual(['waiting 1 of 5', 'waiting 2 of 5']);
  });

  it('that has failed comes back with a device that was away, and not with each sign of life of the device', async () => {
    const { reconnection, attempts, said } = reconnected();
    reconnection.follow(true, 'failed');
    reconnection.follow(true, 'failed');
    expect(said).toEqual([]);
    reconnection.follow(false, 'failed');
    reconnection.follow(true, 'failed');
    expect(said).toEqual(['waiting 1 of 40']);
    await vi.advanceTimersByTimeAsync(3000);
    expect(attempts).toHaveLength(1);
  });

  it('that is offline comes back with the first sign of life of the device', () => {
    const { reconnection, said } = reconnected();
    reconnection.follow(true, 'offline');
    expect(said).toEqual(['waiting 1 of 40']);
  });
});
