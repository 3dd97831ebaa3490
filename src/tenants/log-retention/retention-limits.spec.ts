import { describe, expect, it } from 'vitest';

import { AS_THE_SERVER } from '../../access/log-retention/retained-log.js';
import { overServer } from './retention-limits.js';

const SERVER = { ...AS_THE_SERVER, changeLogDays: 365, securityLogDays: 7, eventDays: 1 };

describe('the limits of a tenant', () => {
  it('are what the server keeps, which it may reach', () => {
    expect(overServer({ ...AS_THE_SERVER, changeLogDays: 365, eventDays: 1 }, SERVER)).toEqual({});
    expect(overServer({ ...AS_THE_SERVER, changeLogDays: 366, eventDays: 2 }, SERVER)).toEqual({
      changeLogDays: ['changeLogDays must be at most 365: the server keeps this log for 365 days.'],
      eventDays: ['eventDays must be at most 1: the server keeps this log for 1 day.'],
    });
  });

  it('do not exist where the server keeps a log forever', () => {
    expect(overServer({ ...AS_THE_SERVER, deviceActivityDays: 36_500 }, SERVER)).toEqual({});
  });

  it('leave nothing to choose where the server keeps a log for fewer days than a tenant can', () => {
    expect(overServer({ ...AS_THE_SERVER, securityLogDays: 30 }, SERVER)).toEqual({
      securityLogDays: ['securityLogDays must be null: the server keeps this log for 7 days, fewer than the 30 that a tenant can choose.'],
    });
  });
});
