import { afterEach, describe, expect, it } from 'vitest';

import { lastRunAt, nextRunAt } from './daily-time.js';

const { TZ } = process.env;

afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

describe('the next run at a time of day', () => {
  it.each([
    // An ordinary day, before, at and after the time.
    ['Europe/Berlin', '02:30', '2026-06-10T00:29:59Z', '2026-06-10T00:30:00Z'],
    ['Europe/Berlin', '02:30', '2026-06-10T00:30:00Z', '2026-06-11T00:30:00Z'],
    ['Europe/Berlin', '02:30', '2026-06-10T12:00:00Z', '2026-06-11T00:30:00Z'],
    ['UTC', '00:00', '2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z'],
    ['UTC', '23:59', '2026-12-31T23:59:00Z', '2027-01-01T23:59:00Z'],
    // 02:00 to 03:00 is left out on 29 March: 03:30 in the new time.
    ['Europe/Berlin', '02:30', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00Z'],
    ['Europe/Berlin', '02:30', '2026-03-29T01:30:00Z', '2026-03-30T00:30:00Z'],
    ['America/New_York', '02:30', '2026-03-08T06:00:00Z', '2026-03-08T07:30:00Z'],
    // 02:00 to 03:00 comes twice on 25 October: the first time, once.
    ['Europe/Berlin', '02:30', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00Z'],
    ['Europe/Berlin', '02:30', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    ['Europe/Berlin', '02:30', '2026-10-25T01:15:00Z', '2026-10-26T01:30:00Z'],
    // Clocks of half an hour, and those that change at midnight.
    ['Australia/Lord_Howe', '02:15', '2026-10-03T12:00:00Z', '2026-10-03T15:45:00Z'],
    ['America/Havana', '00:30', '2026-03-08T04:00:00Z', '2026-03-08T05:30:00Z'],
    ['America/Havana', '00:30', '2026-11-01T04:00:00Z', '2026-11-01T04:30:00Z'],
  ])('in %s at %s, after %s, is %s', (zone, at, now, expected) => {
    process.env.TZ = zone;
    expect(nextRunAt(new Date(now), minutes(at)).toISOString()).toBe(new Date(expected).toISOString());
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana', 'UTC'])(
    'comes once on each day of a year in %s',
    (zone) => {
      process.env.TZ = zone;
      const end = new Date(2027, 0, 1);
      for (const at of ['00:00', '00:30', '01:30', '02:00', '02:15', '02:30', '03:00', '23:59']) {
        const days = new Set<string>();
        let count = 0;
        for (let run = nextRunAt(new Date(2025, 11, 31, 23, 59, 59), minutes(at)); run < end; run = nextRunAt(run, minutes(at))) {
          count += 1;
          days.add(run.toDateString());
          expect(lastRunAt(run, minutes(at))).toEqual(run);
          expect(lastRunAt(new Date(run.getTime() + 3_600_000), minutes(at))).toEqual(run);
        }
        expect([at, count, days.size]).toEqual([at, 365, 365]);
      }
    },
  );
});
