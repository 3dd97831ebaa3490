import { describe, expect, it } from 'vitest';

import { limitsOf, retentionIn, shortenedBy, typedIn } from './retention-form.js';

const SERVER = { changeLogDays: null, securityLogDays: 20, deviceActivityDays: 365, eventDays: 7 };
const FEWEST = { changeLogDays: 90, securityLogDays: 30, deviceActivityDays: 30, eventDays: 1 };
const RETENTION = { changeLogDays: null, securityLogDays: 400, deviceActivityDays: 180, eventDays: null, server: SERVER, fewest: FEWEST };
const START = retentionIn({ value: RETENTION, tag: null }).value;

describe('the form of log retention', () => {
  it('has an empty field for what the server decides', () => {
    expect(START).toEqual({ changeLogDays: '', securityLogDays: '', deviceActivityDays: '180', eventDays: '' });
    expect(limitsOf(RETENTION, 'securityLogDays')).toEqual({ fewest: 30, most: 20, isFixed: true });
    expect(limitsOf(RETENTION, 'changeLogDays')).toEqual({ fewest: 90, most: null, isFixed: false });
  });

  it('sends every log, also those whose field is disabled', () => {
    expect(typedIn({ changeLogDays: '100' })).toEqual({ changeLogDays: '100', securityLogDays: '', deviceActivityDays: '', eventDays: '' });
  });

  it('knows of which logs entries will be deleted', () => {
    expect(shortenedBy(RETENTION, START, { ...START, changeLogDays: '90', eventDays: '7', deviceActivityDays: '200' })).toEqual([
      { field: 'changeLogDays', days: 90 },
    ]);
    // As if empty: more than the server's.
    expect(shortenedBy(RETENTION, { ...START, deviceActivityDays: '900' }, { ...START, deviceActivityDays: '364' })).toEqual([
      { field: 'deviceActivityDays', days: 364 },
    ]);
    expect(shortenedBy(RETENTION, { ...START, deviceActivityDays: '900' }, { ...START, deviceActivityDays: '365' })).toEqual([]);
    expect(shortenedBy(RETENTION, { ...START, deviceActivityDays: '30' }, { ...START, deviceActivityDays: '' })).toEqual([]);
  });
});
