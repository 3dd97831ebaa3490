import { describe, expect, it } from 'vitest';

import type { Device } from '../../model/devices/device-search.js';
import { matchedColumn } from './matched-column.js';

describe('the field in which a search found a device', () => {
  const device = {
    id: 'd',
    name: 'lab-17',
    alias: null,
    dnsHostName: '',
    osDescription: 'Debian',
    agentVersion: '1.0',
    currentUsers: [] as string[],
    macAddresses: ['001122334455'],
    publicIpV4: '',
    publicIpV6: '',
    localIpV4: '',
    localIpV6: '',
  } as Device;

  it('shows the matched property unless it is the device name', () => {
    expect(matchedColumn(device, '1122')).toEqual({ column: 'mac', value: '001122334455' });
    expect(matchedColumn(device, 'LAB')).toBeNull();
    expect(matchedColumn(device, undefined)).toBeNull();
  });
});
