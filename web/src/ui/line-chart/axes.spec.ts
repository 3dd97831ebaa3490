import { describe, expect, it } from 'vitest';

import { timeLabels, valueLines } from './axes.js';

describe('valueLines', () => {
  it.each([
    [0, [0, 1, 2, 3, 4, 5]],
    [4, [0, 1, 2, 3, 4, 5]],
    [5, [0, 1, 2, 3, 4, 5, 6]],
    [9, [0, 2, 4, 6, 8, 10]],
    [54, [0, 10, 20, 30, 40, 50, 60]],
    [60, [0, 20, 40, 60, 80]],
    [10_000, [0, 2000, 4000, 6000, 8000, 10_000, 12_000]],
  ])('draws few round lines up to over %i', (max, lines) => expect(valueLines(max)).toEqual(lines));

  it('never draws many lines, and always leaves room above the largest value', () => {
    for (let max = 0; max < 5000; max += 7) {
      const lines = valueLines(max);
      expect(lines.length).toBeLessThanOrEqual(7);
      expect(lines.at(-1)).toBeGreaterThan(max);
      expect(lines.every(Number.isInteger)).toBe(true);
    }
  });
});

describe('timeLabels', () => {
  const NOON = Date.UTC(2026, 5, 1, 12) / 1000;

  it('labels whole minutes of a short time', () => {
    expect(timeLabels(NOON + 10, NOON + 200, 0)).toEqual([NOON + 60, NOON + 120, NOON + 180]);
    expect(timeLabels(NOON, NOON, 0)).toEqual([NOON]);
    expect(timeLabels(NOON + 10, NOON + 40, 0)).toEqual([]);
  });

  it("labels the hours of the user's clock", () => {
    const day = timeLabels(NOON, NOON + 86_400, -5.5 * 3600);
    expect(day.map((time) => new Date((time + 5.5 * 3600) * 1000).getUTCHours())).toEqual([0, 8, 16]);
  });

  it('never writes many labels', () => {
    for (let seconds = 1; seconds < 40 * 86_400; seconds = Math.ceil(seconds * 1.3))
      expect(timeLabels(NOON, NOON + seconds, 0).length, `${seconds} s`).toBeLessThanOrEqual(6);
  });
});
