import { describe, expect, it } from 'vitest';

import { fromLocalTime, toLocalTime } from './local-time.js';

describe('the time of a date field', () => {
  it('survives the way there and back by the minute', () => {
    expect(fromLocalTime(toLocalTime('2026-03-09T04:05:00.000Z'))).toBe('2026-03-09T04:05:00.000Z');
  });

  it('is written as the field takes it', () => {
    expect(toLocalTime(new Date(2026, 2, 9, 4, 5, 59).toISOString())).toBe('2026-03-09T04:05');
  });

  it('is nothing while the field is empty or the instant is none', () => {
    expect(fromLocalTime('')).toBeNull();
    expect(fromLocalTime('2026-03-')).toBeNull();
    expect(toLocalTime('never')).toBe('');
  });
});
