import { describe, expect, it } from 'vitest';

import { durationParts } from './duration.js';

const written = (milliseconds: number): string =>
  durationParts(milliseconds)
    .map(({ unit, count }) => `${count} ${unit}`)
    .join(' ');

describe('durationParts', () => {
  it.each([
    [0, ''],
    [999, ''],
    [1000, '1 seconds'],
    [59_999, '59 seconds'],
    [60_000, '1 minutes'],
    [61_500, '1 minutes 1 seconds'],
    [3_600_000, '1 hours'],
    [3_659_000, '1 hours'],
    [7_260_000, '2 hours 1 minutes'],
    [360_000_000, '100 hours'],
  ])('writes %d ms as "%s"', (milliseconds, text) => expect(written(milliseconds)).toBe(text));

  it('takes a clock that went back for no time at all', () => expect(durationParts(-5000)).toEqual([]));
});
