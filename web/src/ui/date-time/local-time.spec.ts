import { describe, expect, it } from 'vitest';

import { fromLocalTime, toLocalTime } from './local-time.js';

describe('the time of a date field', () => {
  it('keeps the minute of an instant there and back', () => {
    expect(fromLocalTime(toLocalTime('2026-03-09T04:05:00.000Z'))).toBe('2026-03-09T04:05:00.000Z');
  });

  it('writes an instant as the date field takes it', () => {
    expect(toLocalTime(new Date(2026, 2, 9, 4, 5, 59).toISOString())).toBe('2026-03-09T04:05');
  });

  it('returns nothing for an empty field or an invalid instant', () => {
    expect(fromLocalTime('')).toBeNull();
    expect(fromLocalTime('2026-03-')).toBeNull();
    expect(toLocalTime('never')).toBe('');
  });
});
