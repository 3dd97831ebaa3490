import { describe, expect, it } from 'vitest';

import { delayOf } from './backoff.js';

describe('the time until the next attempt', () => {
  it('doubles the pause between attempts up to half a minute', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 1000].map((attempt) => delayOf(attempt, 0.5))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it('spreads the pause between attempts by a third to either side', () => {
    expect([delayOf(2, 0), delayOf(2, 1)].map(Math.round)).toEqual([2800, 5200]);
  });
});
