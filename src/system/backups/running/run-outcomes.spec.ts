import { describe, expect, it } from 'vitest';

import { BackupKind } from './backup-files.js';
import type { StoredRun } from './backup-runs.repository.js';
import { runsOf, startedSince, unfinishedIn } from './run-outcomes.js';

const at = new Date('2026-11-27T02:30:00Z');

function run(id: string, finishedAt: Date | null, failure: string | null = null): StoredRun {
  return { id, kind: BackupKind.Nightly, startedAt: at, finishedAt, file: null, size: null, failure };
}

describe('the outcome of a backup', () => {
  const runs = [run('complete', at), run('newest', null), run('failed', at, 'The disk is full.'), run('oldest', null)];

  it('is that of the newest one without an end, if one runs, wherever it stands in the list', () => {
    const outcomes = runsOf(runs, unfinishedIn(runs)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['Complete', 'Running', 'Failed', 'Interrupted']);
  });

  it('is an interruption if none runs', () => {
    expect(runsOf(runs, undefined).map(({ outcome }) => outcome)).toEqual(['Complete', 'Interrupted', 'Failed', 'Interrupted']);
  });
});

describe('a run that has begun between two readings', () => {
  it('has no end, and was not there before', () => {
    const before = [run('died', null), run('complete', at)];
    expect(startedSince(before, before)).toBeUndefined();
    expect(startedSince([run('first', null)], [run('first', at)])).toBeUndefined();
    expect(startedSince(before, [run('begun', null), run('died', at, 'The service ended.')])).toMatchObject({ id: 'begun' });
  });
});
