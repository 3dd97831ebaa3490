import { expect, it } from 'vitest';

import { retryDelayOf } from './retry-delays.js';

it('attempts are spread over 24 hours, with growing pauses', () => {
  const delays = Array.from({ length: 10 }, (_, index) => retryDelayOf(index + 1) ?? 0);
  expect(delays).toEqual(delays.toSorted((a, b) => a - b));
  expect(delays.reduce((sum, delay) => sum + delay, 0)).toBe(24 * 60 * 60 * 1000);
  expect(retryDelayOf(11)).toBeNull();
});
