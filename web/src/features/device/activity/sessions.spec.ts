import { describe, expect, it } from 'vitest';

import type { DeviceActivity } from '../../../api/devices/device-activity.js';
import { sessionsOf } from './sessions.js';

const DAY = '2026-03-09T';

/** A record between two times of a day; without an end it runs. */
const record = (began: string, ended: string | null, more: Partial<DeviceActivity> = {}): DeviceActivity => ({
  id: began,
  kind: 'Vnc',
  principalKind: 'User',
  principalId: 'anna',
  principalName: 'anna@contoso.example',
  ipAddress: '203.0.113.17',
  userCorrelationId: null,
  sessionCorrelationId: null,
  subject: null,
  desktopSession: null,
  isViewOnly: null,
  consent: null,
  startedAt: `${DAY}${began}Z`,
  endedAt: ended === null ? null : `${DAY}${ended}Z`,
  bytesIn: 10,
  bytesOut: 100,
  outcome: ended === null ? null : 'Completed',
  ...more,
});

const lines = (records: readonly DeviceActivity[]): string[] =>
  sessionsOf(records).map(({ startedAt, endedAt, bytesOut }) => `${startedAt.slice(11, -1)}–${endedAt?.slice(11, -1) ?? ''} ${bytesOut}`);

describe('sessionsOf', () => {
  it('makes one of what goes on after a break, with the begin of the first, the end of the last and all bytes', () => {
    const records = [record('10:05:30', null), record('10:05:00', '10:05:10'), record('10:00:00', '10:04:20')];
    expect(sessionsOf(records)).toEqual([{ ...records[0], startedAt: records[2].startedAt, bytesIn: 30, bytesOut: 300 }]);
  });

  it('keeps apart what is more than a minute apart, runs side by side, or failed', () => {
    expect(lines([record('10:06:00', '10:07:00'), record('10:00:00', '10:04:59')])).toHaveLength(2);
    expect(lines([record('10:01:00', '10:03:00'), record('10:00:00', '10:02:00')])).toHaveLength(2);
    expect(lines([record('10:01:00', '10:03:00'), record('10:00:00', '10:00:59', { outcome: 'Failed' })])).toHaveLength(2);
    expect(lines([record('10:01:00', '10:03:00', { outcome: 'Failed' }), record('10:00:00', '10:00:59')])).toHaveLength(2);
  });

  it('keeps apart other people, other addresses and other kinds, also between two parts of a session', () => {
    const records = [
      record('10:02:00', '10:03:00'),
      record('10:01:58', '10:01:59', { principalId: 'bert' }),
      record('10:01:56', '10:01:57', { ipAddress: null }),
      record('10:01:54', '10:01:55', { kind: 'Terminal' }),
      record('10:01:00', '10:01:50'),
    ];
    expect(lines(records)).toEqual(['10:01:00–10:03:00 200', '10:01:58–10:01:59 100', '10:01:56–10:01:57 100', '10:01:54–10:01:55 100']);
  });

  it('joins nothing but sessions', () => {
    expect(lines([record('10:00:02', '10:00:03', { kind: 'Upload' }), record('10:00:00', '10:00:01', { kind: 'Upload' })])).toHaveLength(2);
  });
});
