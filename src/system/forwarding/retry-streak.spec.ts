import { expect, it } from 'vitest';

import { RetryStreak } from './retry-streak.js';

it('waits twice as long after each failure, five minutes at most, and sends fewer lines', () => {
  const streak = new RetryStreak();
  expect([streak.isDue(0), streak.batchSize]).toEqual([true, 500]);
  const waits: number[] = [];
  const sizes: number[] = [];
  for (let failure = 0; failure < 11; failure += 1) {
    streak.fail(0);
    let wait = 0;
    while (!streak.isDue(wait)) wait += 1_000;
    waits.push(wait / 1_000);
    sizes.push(streak.batchSize);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  expect(sizes).toEqual([250, 125, 62, 31, 15, 7, 3, 1, 1, 1, 1]);
  streak.end();
  expect([streak.isDue(0), streak.batchSize, streak.length]).toEqual([true, 500, 0]);
});
