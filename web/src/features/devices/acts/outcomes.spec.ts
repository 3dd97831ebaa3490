import { describe, expect, it } from 'vitest';

import { byAttention, type Outcome, retried, tally } from './outcomes.js';

const OUTCOMES: readonly Outcome[] = [
  { id: '1', kind: 'done' },
  { id: '2', kind: 'refused', reason: 'device.power.manage' },
  { id: '3', kind: 'done' },
  { id: '4', kind: 'offline' },
  { id: '5', kind: 'failed', reason: 'The device is busy.' },
];

describe('what came of an act on several devices', () => {
  it('is counted by end and reason', () => {
    expect(tally(OUTCOMES)).toEqual([
      { kind: 'done', reason: null, count: 2 },
      { kind: 'refused', reason: 'device.power.manage', count: 1 },
      { kind: 'offline', reason: null, count: 1 },
      { kind: 'failed', reason: 'The device is busy.', count: 1 },
    ]);
  });

  it('is tried again where that may help', () => {
    expect(retried(OUTCOMES)).toEqual(['4', '5']);
  });

  it('is listed with what wants attention first', () => {
    expect(byAttention(OUTCOMES).map(({ id }) => id)).toEqual(['5', '2', '4', '1', '3']);
  });
});
