import { describe, expect, it } from 'vitest';

import { DeviceResponseDto } from '#libs/contracts';

import { isOutdated } from '../agent-version.js';
import { FIELD_NAMES, type DeviceRow } from './device-fields.js';
import { instantText, toDeviceJson, toDeviceResponse } from './device-row.js';

const row: DeviceRow = {
  id: '0197a8f0-0000-7000-8000-000000000001',
  tenantId: '0197a8f0-0000-7000-8000-000000000002',
  customerId: '0197a8f0-0000-7000-8000-000000000003',
  customerName: 'Müller & Co',
  name: 'PC "1"',
  alias: '',
  agentVersion: '1.2.3.4',
  connectionId: 'connection',
  dnsHostName: 'pc-1.example.org',
  osDescription: 'Linux 6.1',
  localIpV4: '10.0.0.1',
  localIpV6: 'fe80::1',
  publicIpV4: '192.0.2.1',
  publicIpV6: '2001:db8::1',
  cpuUtilization: 0.25,
  totalMemory: 16,
  usedMemory: 7.5,
  totalStorage: 512,
  usedStorage: 100.25,
  processorCount: 8,
  is64Bit: true,
  isOnline: true,
  lastSeen: new Date('2026-11-20T10:11:12.120Z'),
  osArchitecture: 1,
  platform: 2,
  currentUsers: ['ann', 'böb'],
  macAddresses: ['00AABBCCDDEE'],
  drives: [
    {
      name: '/',
      driveType: 'Fixed',
      rootDirectory: '/',
      driveFormat: 'ext4',
      freeSpace: 411.75,
      totalSize: 512,
      volumeLabel: 'root',
    },
  ],
  tagIds: ['0197a8f0-0000-7000-8000-000000000004'],
};

const rows: readonly DeviceRow[] = [
  row,
  {
    ...row,
    customerId: null,
    customerName: null,
    tagIds: null,
    drives: [],
    currentUsers: [],
    lastSeen: new Date('2026-01-01T00:00:00.000Z'),
  },
  { ...row, lastSeen: new Date('1969-12-31T23:59:59.999Z'), agentVersion: '', osArchitecture: 9 },
];

describe('device bodies', () => {
  it.each([null, '1.2.3.4', '1.2.4'])('are what the contract descriptor encodes (server agent version %s)', (version) => {
    for (const device of rows) {
      expect(toDeviceJson(device, version)).toEqual(DeviceResponseDto.encode(toDeviceResponse(device, version), 'json'));
    }
  });

  it('have the value of every field in the table of fields', () => {
    for (const device of rows) {
      const json = toDeviceJson(device, null);
      const written = Object.fromEntries(FIELD_NAMES.map((name) => [name, json[name]]));
      expect(written).toEqual({ ...device, lastSeen: instantText(device.lastSeen) });
    }
  });

  it('write every member that the contract has, null included', () => {
    for (const device of rows) {
      const written = Object.entries(toDeviceJson(device, null)).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      expect(written.sort()).toEqual(Object.keys(DeviceResponseDto.members).sort());
    }
  });

  it('contain nothing else that was read with the row', () => {
    const known = { ...row, publicKey: 'key', list_key: 'key' };
    for (const body of [toDeviceJson(known, null), toDeviceResponse(known, null)]) {
      expect(Object.keys(body).sort()).toEqual(Object.keys(DeviceResponseDto.members).sort());
    }
  });
});

describe('isOutdated', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4', false],
    ['1.2.3.4', '1.2.3.5', true],
    ['1.2.3.6', '1.2.3.5', true],
    ['1.2.3', '1.2.3.0', false],
    ['1.2', '1.2.1', true],
    ['', '1.2.3', false],
    ['one', '1.2.3', false],
    ['1', '1.2.3', false],
    ['1.2.3', 'latest', false],
    ['1.2.3', null, false],
  ])('agent %s, server %s: %s', (agent, server, outdated) => {
    expect(isOutdated(agent, server)).toBe(outdated);
  });
});
