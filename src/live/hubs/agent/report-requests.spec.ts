import { expect, it } from 'vitest';

import { waitAfter } from './report-requests.js';

it('waits twice as long after each failure, up to two minutes, and spreads the agents', () => {
  const waits = (random: number): number[] => [1, 2, 3, 7, 2_000].map((failures) => waitAfter(failures, () => random));
  expect(waits(0.5)).toEqual([2_000, 4_000, 8_000, 120_000, 120_000]);
  expect(waits(0)).toEqual([1_000, 2_000, 4_000, 60_000, 60_000]);
});
