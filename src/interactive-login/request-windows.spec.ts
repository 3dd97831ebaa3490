import { describe, expect, it } from 'vitest';

import { TestClock } from '../../test/support/test-clock.js';
import { RequestWindows } from './request-windows.js';

const MINUTE = 60_000;

function windows(capacity?: number): { readonly clock: TestClock; readonly count: (key: string) => Promise<boolean> } {
  const clock = new TestClock();
  clock.stop();
  const counted = new RequestWindows(clock, capacity);
  return { clock, count: async (key) => (await counted.increment(key, MINUTE, 2)).isBlocked };
}

describe('windows of requests', () => {
  it('block what exceeds the limit until the window ends, each key by itself', async () => {
    const { clock, count } = windows();
    expect([await count('a'), await count('a'), await count('a'), await count('b')]).toEqual([false, false, true, false]);
    clock.advance(MINUTE - 1);
    expect(await count('a')).toBe(true);
    clock.advance(1);
    expect(await count('a')).toBe(false);
  });

  it('say in whole seconds when the window ends, which further requests do not prolong', async () => {
    const clock = new TestClock();
    clock.stop();
    const counted = new RequestWindows(clock);
    await counted.increment('a', MINUTE, 1);
    clock.advance(1_500);
    expect(await counted.increment('a', MINUTE, 1)).toEqual({ totalHits: 2, timeToExpire: 59, isBlocked: true, timeToBlockExpire: 59 });
  });

  it('drop the oldest when there are too many', async () => {
    const { count } = windows(2);
    for (const key of ['a', 'a', 'b', 'c']) await count(key);
    expect([await count('a'), await count('c'), await count('c')]).toEqual([false, false, true]);
  });
});
