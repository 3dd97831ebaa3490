import { describe, expect, it } from 'vitest';

import { newGuid } from '../../platform/common/identifiers/guid.js';
import { DeviceActivityKind } from './device-activity-kinds.js';
import { type ActivityRecord, type BegunActivity, RepeatedRecords } from './repeated-records.js';

const MINUTE = 60_000;
const START = Date.parse('2026-11-22T09:00:00Z');

const read = (atMs: number, more: Partial<BegunActivity> = {}): BegunActivity => ({
  id: newGuid(),
  tenantId: 'tenant',
  deviceId: 'device',
  kind: DeviceActivityKind.Download,
  principalKind: 'User',
  principalId: 'anna',
  principalName: 'Anna',
  ipAddress: '203.0.113.17',
  correlationId: newGuid(),
  userCorrelationId: null,
  sessionCorrelationId: null,
  subject: '/var/log/agent.log',
  desktopSession: null,
  isViewOnly: null,
  consent: null,
  nodeId: 'node',
  startedAt: new Date(START + atMs),
  ...more,
});

const recordOf = (begun: BegunActivity): ActivityRecord => ({ begun, bytesIn: 0, bytesOut: 0, lastUsedAt: begun.startedAt.getTime() });

function known(...begun: BegunActivity[]): RepeatedRecords {
  const records = new RepeatedRecords();
  for (const each of begun) records.add(recordOf(each));
  return records;
}

describe('a repeated activity', () => {
  it('goes on with its record while the pauses are short', () => {
    const records = known(read(0));
    const first = records.find(read(9 * MINUTE));
    expect(first).toBeDefined();
    expect(records.find(read(18 * MINUTE))).toBe(first);
  });

  it('begins a new record after a long pause', () => {
    expect(known(read(0)).find(read(11 * MINUTE))).toBeUndefined();
  });

  it('begins a new record every hour', () => {
    const records = known(read(0));
    for (let minute = 5; minute <= 60; minute += 5) expect(records.find(read(minute * MINUTE))).toBeDefined();
    expect(records.find(read(61 * MINUTE))).toBeUndefined();
  });

  it('counts its pause from the end of the last one', () => {
    const begun = read(0);
    const record = recordOf(begun);
    const records = new RepeatedRecords();
    records.add(record);
    record.lastUsedAt = START + 20 * MINUTE;
    expect(records.find(read(29 * MINUTE))).toBe(record);
  });

  it.each([
    ['another caller', { principalId: 'robin' }],
    ['a caller of another name', { principalName: 'Anne' }],
    ['another address', { ipAddress: '203.0.113.18' }],
    ['another session of a logon token', { sessionCorrelationId: 'ticket-2' }],
    ['another file', { subject: '/var/log/other.log' }],
    ['another device', { deviceId: 'other' }],
    ['another tenant', { tenantId: 'other' }],
  ])('has a record of its own for %s', (_, more) => {
    expect(known(read(0)).find(read(MINUTE, more))).toBeUndefined();
  });

  it('goes on with the newest record', () => {
    const [old, young] = [read(0), read(20 * MINUTE)];
    expect(known(old, young).find(read(21 * MINUTE))?.begun).toBe(young);
  });

  it('is forgotten after 1,000 others', () => {
    const others = Array.from({ length: 1_000 }, (_, index) => read(0, { subject: `/var/log/${index}.log` }));
    expect(known(read(0), ...others.slice(1)).find(read(MINUTE))).toBeDefined();
    expect(known(read(0), ...others).find(read(MINUTE))).toBeUndefined();
  });
});
