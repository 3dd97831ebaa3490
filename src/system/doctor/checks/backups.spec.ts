import { describe, expect, it } from 'vitest';

import { BackupKind } from '../../backups/running/backup-files.js';
import { backupFindings } from './backups.js';

/** 08:00 of a day, in the local time of this process. */
const now = new Date(2026, 5, 10, 8, 0);
const ago = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
const AT = 2 * 60 + 30;

const kindsOf = (at: number | null, serviceStartedAt: Date | null, backups: readonly Date[] = []): readonly (string | null)[] =>
  backupFindings({
    folder: '/backups',
    backups: backups.map((startedAt) => ({ name: 'nightly', kind: BackupKind.Nightly, startedAt, isEncrypted: false, size: 1 })),
    at,
    serviceStartedAt,
    now: now.getTime(),
  }).map(({ kind }) => kind);

describe('a folder without a backup', () => {
  it.each<[what: string, serviceStartedAt: Date | null, kinds: readonly (string | null)[]]>([
    ['is sound while the first one is not due', ago(0.1), [null]],
    ['is sound while the first one may be made', ago(1), [null]],
    ['is a fault when it should have been made after the start', ago(2), ['backup-missing']],
    ['is a fault after a night', ago(24), ['backup-missing']],
    ['is a fault while no service runs', null, ['backup-missing']],
  ])('%s', (_what, serviceStartedAt, kinds) => {
    expect(kindsOf(AT, serviceStartedAt)).toEqual(kinds);
  });

  it('is sound in the hour after the time of the nightly one', () => {
    expect(kindsOf(7 * 60 + 30, ago(24))).toEqual([null]);
  });

  it('is nothing that is checked while nightly backups are off', () => {
    expect(kindsOf(null, ago(24))).toEqual([null]);
  });
});

it('backups are old after 26 hours', () => {
  expect([kindsOf(AT, ago(48), [ago(5), ago(29)]), kindsOf(AT, ago(48), [ago(27)])]).toEqual([[null], ['backup-old']]);
});
