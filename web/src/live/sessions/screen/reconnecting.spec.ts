import { describe, expect, it } from 'vitest';

import { MOST_ATTEMPTS, nextAttempt } from './reconnecting.js';

describe('nextAttempt', () => {
  it('counts attempts up to the limit and ends there', () => {
    let attempts: number | null = 0;
    const seen: (number | null)[] = [];
    while (attempts !== null) {
      attempts = nextAttempt(attempts, 0);
      seen.push(attempts);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, null]);
  });

  it('continues counting while connections break at once', () => expect(nextAttempt(MOST_ATTEMPTS, 29_999)).toBeNull());
  it('counts from the start after a connection that lasted', () => expect(nextAttempt(MOST_ATTEMPTS, 30_000)).toBe(1));
});
