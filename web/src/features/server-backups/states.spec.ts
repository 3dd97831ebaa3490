import { describe, expect, it } from 'vitest';

import type { BackupRun } from '../../api/system/server-backups.js';
import { commandOf, hasFailed, nodeChoices, quoted } from './states.js';

const run = (outcome: BackupRun['outcome']): BackupRun => ({
  kind: 'Nightly',
  startedAt: '2026-09-21T00:30:00Z',
  finishedAt: null,
  outcome,
  file: null,
  failure: null,
});

describe('the command for a backup', () => {
  it('names its path and, for an encrypted one, its identity', () => {
    expect(commandOf({ path: '/var/backups/a.backup', isEncrypted: false }, 'restore')).toBe('npm run restore -- /var/backups/a.backup');
    expect(commandOf({ path: '/b.backup.age', isEncrypted: true }, 'verify')).toBe(
      'npm run restore -- --verify --identity <file> /b.backup.age',
    );
  });

  it('is one word for a shell, whatever is in the path', () => {
    expect(quoted("/my backups/it's $HOME")).toBe(`'/my backups/it'\\''s $HOME'`);
  });
});

describe('the last backup has failed', () => {
  it('if it has no file and none is being made', () => {
    expect(hasFailed({ runs: [], running: null })).toBe(false);
    expect(hasFailed({ runs: [run('Complete'), run('Failed')], running: null })).toBe(false);
    expect(hasFailed({ runs: [run('Failed'), run('Complete')], running: null })).toBe(true);
    expect(hasFailed({ runs: [run('Interrupted')], running: null })).toBe(true);
    expect(hasFailed({ runs: [run('Running'), run('Failed')], running: null })).toBe(false);
    expect(hasFailed({ runs: [run('Failed')], running: { task: 'Backup', file: null, startedAt: '' } })).toBe(false);
  });
});

describe('the nodes to choose from', () => {
  const nodes = [
    { address: '10.0.0.1:8091', state: 'Overdue' },
    { address: null, state: 'Running' },
    { address: '10.0.0.2:8091', state: 'Running' },
    { address: '10.0.0.1:8091', state: 'Running' },
  ] as const;

  it('are those with an address, each once', () => {
    expect(nodeChoices(nodes, '10.0.0.2:8091')).toEqual([
      { address: '10.0.0.1:8091', state: 'Running' },
      { address: '10.0.0.2:8091', state: 'Running' },
    ]);
  });

  it('have the chosen one among them, even if it has gone', () => {
    expect(nodeChoices(nodes, '10.0.0.3:8091').at(-1)).toEqual({ address: '10.0.0.3:8091', state: null });
    expect(nodeChoices([], undefined)).toEqual([]);
  });
});
