import { describe, expect, it } from '@jest/globals';

import { DeviceResponseDto } from '#libs/contracts';

import { isOutdated } from './agent-version.js';
import { toDeviceJson, toDeviceResponse, type DeviceRow } from './device-row.js';

const row: DeviceRow = {
  id: '0197a8f0-0000-7000-8000-000000000001',
  tenant_id: '0197a8f0-0000-7000-8000-000000000002',
  customer_id: '0197a8f0-0000-7000-8000-000000000003',
  customer_name: 'Müller & Co',
  name: 'PC "1"',
  alias: '',
  agent_version: '1.2.3.4',
  connection_id: 'connection',
  dns_host_name: 'pc-1.example.org',
  os_description: 'Linux 6.1',
  local_ip_v4: '10.0.0.1',
  local_ip_v6: 'fe80::1',
  public_ip_v4: '192.0.2.1',
  public_ip_v6: '2001:db8::1',
  cpu_utilization: 0.25,
  total_memory: 16,
  used_memory: 7.5,
  total_storage: 512,
  used_storage: 100.25,
  processor_count: 8,
  is64_bit: true,
  is_online: true,
  last_seen: new Date('2026-11-20T10:11:12.120Z'),
  os_architecture: 1,
  platform: 2,
  current_users: ['ann', 'böb'],
  mac_addresses: ['00AABBCCDDEE'],
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
  tag_ids: ['0197a8f0-0000-7000-8000-000000000004'],
};

const rows: readonly DeviceRow[] = [
  row,
  {
    ...row,
    customer_id: null,
    customer_name: null,
    tag_ids: null,
    drives: [],
    current_users: [],
    last_seen: new Date('2026-01-01T00:00:00.000Z'),
  },
  { ...row, last_seen: new Date('1969-12-31T23:59:59.999Z'), agent_version: '', os_architecture: 9 },
];

describe('device bodies', () => {
  it.each([null, '1.2.3.4', '1.2.4'])('are what the contract descriptor encodes (server agent version %s)', (version) => {
    for (const device of rows) {
      expect(toDeviceJson(device, version)).toEqual(DeviceResponseDto.encode(toDeviceResponse(device, version), 'json'));
    }
  });

  it('write every member that the contract has, null included', () => {
    for (const device of rows) {
      const written = Object.entries(toDeviceJson(device, null)).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      expect(written.sort()).toEqual(Object.keys(DeviceResponseDto.members).sort());
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
