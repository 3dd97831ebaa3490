import { describe, expect, it } from 'vitest';

import type { Device } from '../../../model/devices/device-search.js';
import { csvColumnsOf } from './device-csv.js';

const RACK = 'field-01a21ab8-90ae-71fc-8a02-5f18aabe780d';
const GONE = 'field-01a21ab8-90ae-71fc-8a02-5f18aabe780e';

describe('the list of devices as a file', () => {
  it('writes the columns of the list with their values, and the id', () => {
    const figures = { cpuUtilization: 0.123456, usedMemory: 1, totalMemory: 3, usedStorage: 0, totalStorage: 0 };
    const device = { id: 'd1', name: 'lab-17', alias: null, tagIds: ['t1', 't2'], ...figures } as unknown as Device;
    const columns = csvColumnsOf(['name', 'health', RACK, GONE], new Map([['01a21ab8-90ae-71fc-8a02-5f18aabe780d', 'Rack']]));

    expect(columns.map(({ title }) => title)).toEqual(['Name', 'Alias', 'Tag', 'CPU', 'Used memory', 'Used storage', 'Rack', 'ID']);
    const values = new Map([['d1', new Map([['01a21ab8-90ae-71fc-8a02-5f18aabe780d', 'B12']])]]);
    const tagNames = new Map([['t1', 'server']]);
    expect(columns.map(({ cellOf }) => cellOf(device, { tagNames, values }))).toEqual([
      'lab-17',
      null,
      'server, t2',
      0.1235,
      0.3333,
      null,
      'B12',
      'd1',
    ]);
  });
});
