import { describe, expect, it } from 'vitest';

import { nextBackupAt } from './next-backup.js';

/** 02:30. */
const AT = 150;
const on = (day: number, time: string): Date => new Date(`2026-06-${String(day).padStart(2, '0')}T${time}:00`);

describe('the next nightly backup', () => {
  it.each<[what: string, now: Date, startedAt: Date, attemptAt: Date | null, successAt: Date | null, next: Date]>([
    ['is tonight after one that succeeded', on(10, '08:00'), on(1, '00:00'), on(10, '02:30'), on(10, '02:30'), on(11, '02:30')],
    ['is due at its time', on(11, '02:30'), on(1, '00:00'), on(10, '02:31'), on(10, '02:31'), on(11, '02:30')],
    ['is due after its time until one has run', on(11, '03:00'), on(1, '00:00'), on(10, '02:31'), on(10, '02:31'), on(11, '02:30')],
    ['comes an hour after one that failed', on(11, '02:40'), on(1, '00:00'), on(11, '02:30'), on(10, '02:30'), on(11, '03:30')],
    ['comes an hour after each one that failed', on(11, '09:40'), on(1, '00:00'), on(11, '09:31'), null, on(11, '10:31')],
    ['is at its time, however soon the last one failed', on(11, '02:20'), on(1, '00:00'), on(11, '02:10'), null, on(11, '02:30')],
    [
      'that was missed comes a quarter of an hour after the start',
      on(11, '08:00'),
      on(11, '08:00'),
      on(9, '02:30'),
      on(9, '02:30'),
      on(11, '08:15'),
    ],
    ['of a new service comes a quarter of an hour after its start', on(11, '08:05'), on(11, '08:00'), null, null, on(11, '08:15')],
    [
      'of a service that has just started is at its time',
      on(11, '02:25'),
      on(11, '02:20'),
      on(9, '02:30'),
      on(9, '02:30'),
      on(11, '02:30'),
    ],
    ['is due when the clock was set forward', on(14, '12:00'), on(1, '00:00'), on(10, '02:30'), on(10, '02:30'), on(14, '02:30')],
  ])('%s', (_what, now, serviceStartedAt, attemptAt, successAt, next) => {
    expect(nextBackupAt({ now, at: AT, serviceStartedAt, attemptAt, successAt })).toEqual(next);
  });
});
