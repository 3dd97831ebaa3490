import { describe, expect, it } from 'vitest';

import { clockOf, isAtLimit } from './recording-limits.js';

describe('a recording', () => {
  it.each([
    [0, 0, false],
    [7_199_999, 1_999_999_999, false],
    [7_200_000, 0, true],
    [0, 2_000_000_000, true],
  ])('of %d ms and %d bytes is at its limit: %s', (milliseconds, bytes, isOver) => expect(isAtLimit(milliseconds, bytes)).toBe(isOver));

  it.each([
    [0, '0:00'],
    [7_999, '0:07'],
    [61_000, '1:01'],
    [3_723_000, '1:02:03'],
  ])('of %d ms shows %s', (milliseconds, clock) => expect(clockOf(milliseconds)).toBe(clock));
});
