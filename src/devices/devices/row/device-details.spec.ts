import { describe, expect, it } from 'vitest';

import type { DeviceUpdateRequestDto } from '#libs/contracts';

import { cutText, detailsOf, digestOf, isComplete } from './device-details.js';

const update: DeviceUpdateRequestDto = {
  id: '0197a8f0-0000-7000-8000-000000000001',
  tenantId: '0197a8f0-0000-7000-8000-000000000002',
  name: 'n'.repeat(1000),
  agentVersion: '1'.repeat(60),
  is64Bit: true,
  osArchitecture: 1,
  osDescription: 'o'.repeat(301),
  platform: 2,
  processorCount: 4,
  cpuUtilization: 0.5,
  totalMemory: 1,
  totalStorage: 2,
  usedMemory: 3,
  usedStorage: 4,
  currentUsers: Array.from({ length: 1000 }, () => 'u'.repeat(500)),
  macAddresses: null,
  localIpV4: '1'.repeat(16),
  localIpV6: 'f'.repeat(40),
  drives: [
    { driveType: 2, name: 'E:\0', rootDirectory: 'E:\\', driveFormat: 'FAT', freeSpace: 1, totalSize: 2, volumeLabel: 'x'.repeat(999) },
  ],
  dnsHostName: 'd'.repeat(256),
};

describe('the details of a report', () => {
  it('are cut to their columns, lists to a bound', () => {
    const details = detailsOf(update);
    const lengths = {
      name: details.name?.length,
      agentVersion: details.agentVersion?.length,
      osDescription: details.osDescription?.length,
      localIpV4: details.localIpV4?.length,
      localIpV6: details.localIpV6?.length,
      dnsHostName: details.dnsHostName?.length,
      currentUsers: details.currentUsers?.length,
      currentUser: details.currentUsers?.[0].length,
    };
    expect(lengths).toEqual({
      name: 100,
      agentVersion: 50,
      osDescription: 300,
      localIpV4: 15,
      localIpV6: 39,
      dnsHostName: 255,
      currentUsers: 256,
      currentUser: 256,
    });
    expect(details.drives).toMatchObject([{ driveType: 'Removable', name: 'E:', volumeLabel: 'x'.repeat(256) }]);
  });

  it('keep null, which leaves the stored value as it is', () => {
    const partial = detailsOf(update);
    expect(partial.macAddresses).toBeNull();
    expect(isComplete(partial)).toBe(false);
    expect(isComplete(detailsOf({ ...update, macAddresses: [] }))).toBe(true);
  });

  it('have another digest as soon as one of them differs', () => {
    const digest = digestOf(detailsOf(update));
    expect(digestOf(detailsOf({ ...update, cpuUtilization: 0.9 }))).toBe(digest);
    expect(digestOf(detailsOf({ ...update, macAddresses: [] }))).not.toBe(digest);
  });
});

describe('cutText', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab😀', 4, 'ab😀'],
    ['ab😀', 3, 'ab'],
    ['a\0b', 9, 'ab'],
    ['a\ud800b', 9, 'ab'],
    ['a\u202eb\u2066c', 9, 'abc'],
  ])('%j at %d is %j', (text, limit, cut) => {
    expect(cutText(text, limit)).toBe(cut);
  });
});
