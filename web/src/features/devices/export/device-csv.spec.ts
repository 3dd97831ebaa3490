import { describe, expect, it } from 'vitest';

import type { Device } from '../../../model/devices/device-search.js';
import { csvColumnsOf } from './device-csv.js';

describe('the list of devices as a file', () => {
  it('writes the columns of the list with their values, and the id', () => {
    const figures = { cpuUtilization: 0.123456, usedMemory: 1, totalMemory: 3, usedStorage: 0, totalStorage: 0 };
    const device = { id: 'd1', name: 'lab-17', alias: null, tagIds: ['t1', 't2'], ...figures } as unknown as Device;
    const columns = csvColumnsOf(['name', 'health']);

    expect(columns.map(({ title }) => title)).toEqual(['Name', 'Alias', 'Tag', 'CPU', 'Used memory', 'Used storage', 'ID']);
    const tagNames = new Map([['t1', 'server']]);
    expect(columns.map(({ cellOf }) => cellOf(device, tagNames))).toEqual(['lab-17', null, 'server, t2', 0.1235, 0.3333, null, 'd1']);
  });
});
