import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { BackupKind, backupName, backupsIn, outdatedBackups, parseBackupName, removeUnfinished } from './backup-files.js';

const at = new Date('2026-11-27T02:30:05.123Z');

async function folderWith(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backup-files-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of names) await writeFile(join(folder, name), name);
  return folder;
}

describe('the name of a backup', () => {
  it('says kind, time and encryption', () => {
    expect(backupName(BackupKind.Nightly, at, false)).toBe('nightly-20261127T023005Z.backup');
    expect(backupName(BackupKind.Manual, at, true)).toBe('manual-20261127T023005Z.backup.age');
    const startedAt = new Date('2026-11-27T02:30:05Z');
    for (const kind of Object.values(BackupKind)) {
      for (const isEncrypted of [false, true]) {
        const name = backupName(kind, at, isEncrypted);
        expect(parseBackupName(name)).toEqual({ name, kind, startedAt, isEncrypted });
      }
    }
  });

  it.each([
    'devices.backup',
    'nightly-20261127T023005Z.backup.unfinished',
    'weekly-20261127T023005Z.backup',
    'nightly-20261399T023005Z.backup',
    '../nightly-20261127T023005Z.backup',
    'nightly-20261127T023005Z.backup\n',
    'toString-20261127T023005Z.backup',
  ])('is none of the service: %j', (name) => {
    expect(parseBackupName(name)).toBeNull();
  });
});

describe('backups that are too many', () => {
  const nightly = (day: number): string => `nightly-202611${day}T023000Z.backup`;

  it('are the oldest of each kind, and no file of others', () => {
    const names = ['mine.backup', nightly(12), 'manual-20261101T000000Z.backup', nightly(14), nightly(11), 'nightly.backup', nightly(13)];
    expect(outdatedBackups(names, 2)).toEqual([nightly(12), nightly(11)]);
    expect(outdatedBackups(names, 4)).toEqual([]);
    expect(outdatedBackups([...names, 'manual-20261102T000000Z.backup.age'], 1)).toEqual([
      nightly(13),
      nightly(12),
      nightly(11),
      'manual-20261101T000000Z.backup',
    ]);
  });
});

describe('the folder of backups', () => {
  it('lists those of the service, newest first, and none where it is missing', async () => {
    const folder = await folderWith('nightly-20261111T023000Z.backup', 'upgrade-20261112T023000Z.backup.age', 'mine.backup');
    expect((await backupsIn(folder)).map(({ name, size }) => [name, size])).toEqual([
      ['upgrade-20261112T023000Z.backup.age', 35],
      ['nightly-20261111T023000Z.backup', 31],
    ]);
    expect(await backupsIn(join(folder, 'missing'))).toEqual([]);
  });

  it('loses what processes that died have left, and no file of others', async () => {
    const left = ['manual-20261111T023000Z.backup.unfinished', 'nightly-20261111T023000Z.backup.age.unfinished'];
    const others = ['manual-20261111T023000Z.backup', 'mine.backup.unfinished'];
    const folder = await folderWith(...left, ...others);
    expect([...(await removeUnfinished(folder))].sort()).toEqual(left);
    expect((await readdir(folder)).sort()).toEqual(others);
    expect(await removeUnfinished(join(folder, 'missing'))).toEqual([]);
  });
});
