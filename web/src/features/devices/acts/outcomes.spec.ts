import { describe, expect, it } from 'vitest';

import { missingOnDevice, ProblemError } from '../../../api/problem.js';
import { byAttention, type Outcome, outcomeOf, retried, tally } from './outcomes.js';

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

describe('an act that failed', () => {
  const failed = (detail: string): ProblemError => new ProblemError(409, { detail });

  it('found the device offline where it could not be sent, whatever the list said of it', () => {
    expect(outcomeOf('1', 'refresh', failed('An error occurred while refreshing device info.'))).toEqual({ id: '1', kind: 'offline' });
    expect(outcomeOf('1', 'restart', failed('An error occurred while sending the power state change.'))).toEqual({
      id: '1',
      kind: 'offline',
    });
  });

  it('says why in the words of the service otherwise', () => {
    const pending = 'The key of the device waits for approval.';
    expect(outcomeOf('1', 'refresh', failed(pending))).toEqual({ id: '1', kind: 'failed', reason: pending });
    // Waking asks the neighbours: that it fails says nothing about the device.
    const unsent = 'An error occurred while sending the wake command.';
    expect(outcomeOf('1', 'wake', failed(unsent))).toEqual({ id: '1', kind: 'failed', reason: unsent });
  });

  it('was refused for want of a permission', () => {
    expect(outcomeOf('1', 'restart', missingOnDevice('device.power.manage', '1'))).toEqual({
      id: '1',
      kind: 'refused',
      reason: 'device.power.manage',
    });
  });
});
