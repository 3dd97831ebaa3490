import { expect, it } from 'vitest';

import { RetryStreak } from './retry-streak.js';

it('waits twice as long after each failure, five minutes at most', () => {
  const streak = new RetryStreak();
  expect(streak.isDue(0)).toBe(true);
  const waits: number[] = [];
  for (let failure = 0; failure < 11; failure += 1) {
    streak.fail(0);
    let wait = 0;
    while (!streak.isDue(wait)) wait += 1_000;
    waits.push(wait / 1_000);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  streak.end();
  expect([streak.isDue(0), streak.length]).toEqual([true, 0]);
});
