import { describe, expect, it } from 'vitest';

import { loadPermissionNames } from '../../../i18n/loaded-permission-names.js';
import { missingOnDevice } from '../../../problem/missing.js';
import { ProblemError } from '../../../problem/problem.js';
import { byAttention, type Outcome, outcomeOf, retried, tally, wasNotSent } from './outcomes.js';

const OUTCOMES: readonly Outcome[] = [
  { id: '1', kind: 'done' },
  { id: '2', kind: 'refused', reason: 'device.power.manage' },
  { id: '3', kind: 'done' },
  { id: '4', kind: 'offline' },
  { id: '5', kind: 'failed', reason: 'The device is busy.' },
  { id: '6', kind: 'unsupported', reason: 'This is not supported.' },
];

describe('the results of an act on several devices', () => {
  it('counts devices by result and reason', () => {
    expect(tally(OUTCOMES)).toEqual([
      { kind: 'done', reason: null, count: 2 },
      { kind: 'refused', reason: 'device.power.manage', count: 1 },
      { kind: 'offline', reason: null, count: 1 },
      { kind: 'failed', reason: 'The device is busy.', count: 1 },
      { kind: 'unsupported', reason: 'This is not supported.', count: 1 },
    ]);
  });

  it('repeats the act only where that may help', () => {
    expect(retried(OUTCOMES)).toEqual(['5']);
  });

  it('lists failures and refusals first', () => {
    expect(byAttention(OUTCOMES).map(({ id }) => id)).toEqual(['5', '2', '6', '4', '1', '3']);
  });
});

describe('an act that failed', () => {
  const failed = (detail: string): ProblemError => new ProblemError(409, { detail });

  it("tells a message that did not reach the agent by the hub's answer to it, and by no other", () => {
    const unsent = failed('An error occurred while refreshing device info.');
    expect(wasNotSent('refresh', unsent)).toBe(true);
    expect(wasNotSent('restart', failed('An error occurred while sending the power state change.'))).toBe(true);
    // Waking asks the neighbours: that it fails says nothing about the device.
    expect(wasNotSent('wake', failed('An error occurred while sending the wake command.'))).toBe(false);
    expect(wasNotSent('refresh', failed('The key of the device waits for approval.'))).toBe(false);
    expect(wasNotSent('refresh', new ProblemError(500, { detail: unsent.message }))).toBe(false);
  });

  it('gives the reason in the words of the service, and has its own where the hub only says that something failed', () => {
    const reasonOf = (said: string): unknown => outcomeOf('1', failed(said));
    const reason = 'The key of the device waits for approval.';
    expect(reasonOf(reason)).toEqual({ id: '1', kind: 'failed', reason });
    expect(reasonOf('An error occurred while refreshing device info.')).toEqual({
      id: '1',
      kind: 'failed',
      reason: 'The agent did not respond.',
    });
  });

  it('tells what the agent cannot do', () => {
    const reason = 'Shutting down is not supported on this platform.';
    expect(outcomeOf('1', failed(reason))).toEqual({ id: '1', kind: 'unsupported', reason });
  });

  it('lists a missing permission as a refusal, by its display name', async () => {
    await loadPermissionNames();
    expect(outcomeOf('1', missingOnDevice('device.power.manage', '1'))).toEqual({
      id: '1',
      kind: 'refused',
      reason: 'You need the permission “Manage Device Power”.',
    });
  });
});
