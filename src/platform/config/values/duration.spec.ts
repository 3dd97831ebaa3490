import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.js';

describe('parseDuration', () => {
  it.each([
    ['00:01:00', 60_000],
    ['0:00:05', 5_000],
    ['1.02:03:04', 93_784_000],
    ['00:00:00.5', 500],
    ['00:00:00.1234567', 123],
    ['PT1M', 60_000],
    ['pt90s', 90_000],
    ['P1DT1H', 90_000_000],
    ['P2D', 172_800_000],
  ])('reads %s', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', '60', '1:00', '24:00:00', '00:60:00', '00:00:60', '-00:01:00', 'P', 'PT', 'P1DT', 'PT1.5S', '1m', 'soon'])(
    'refuses %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});

describe('formatDuration', () => {
  it.each(['00:01:00', '1.02:03:04', '00:00:00.500', '23:59:59'])('formats %s as it was parsed', (text) => {
    expect(formatDuration(parseDuration(text) ?? Number.NaN)).toBe(text);
  });
});
