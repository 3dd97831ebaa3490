import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { DatabaseConnection } from '../../../src/platform/database/connection/database-connection.js';
import { writeBackupInThread, type ThreadedBackup } from '../../../src/system/backups/running/backup-thread.js';
import { verifyBackup } from '../../../src/system/backups/verify-backup.js';
import { testServer } from '../../support/setup/test-server.js';

const FILE = 'one.backup';

describe('the thread of a backup', async () => {
  const server = testServer();
  const root = await mkdtemp(join(tmpdir(), 'backup-thread-'));
  const folder = join(root, 'backups');
  afterAll(() => rm(root, { recursive: true, force: true }));
  beforeEach(() => rm(folder, { recursive: true, force: true }));

  const write = (changes: Partial<ThreadedBackup>): ReturnType<typeof writeBackupInThread> =>
    writeBackupInThread({
      database: server.app.get(DatabaseConnection).config,
      dataPath: root,
      file: join(folder, FILE),
      recipients: [],
      signal: new AbortController().signal,
      onTurn: () => Promise.resolve(),
      onFinished: () => Promise.resolve(),
      ...changes,
    });

  it('tells of its turn and of the finished file, and gives the content', async () => {
    const steps: unknown[] = [];
    const finished = await write({
      onTurn: async () => void steps.push('turn'),
      onFinished: async (backup) => void steps.push(backup),
    });
    expect(steps).toEqual(['turn', finished]);
    expect(await verifyBackup({ path: join(folder, FILE), identities: [] })).toEqual(finished.manifest);
  });

  it('fails with the reason, and leaves no file, when its turn is refused', async () => {
    const refusal = new Error('No turn.');
    const refused = write({ onTurn: () => Promise.reject(refusal) });
    await expect(refused).rejects.toMatchObject({ message: 'The backup failed: No turn.', cause: refusal });
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it('leaves no file when it is stopped', async () => {
    const stop = new AbortController();
    const stopped = write({ signal: stop.signal, onTurn: async () => stop.abort() });
    await expect(stopped).rejects.toThrow('The backup was stopped. No file was left.');
    await expect(readdir(folder).catch(() => [])).resolves.toEqual([]);
  });

  it('keeps the file when its end cannot be stored', async () => {
    const unstored = write({ onFinished: () => Promise.reject(new Error('Not stored.')) });
    await expect(unstored).rejects.toThrow('The backup failed: Not stored.');
    expect(await readdir(folder)).toEqual([FILE]);
  });

  it('fails with a sentence when the database cannot be reached', async () => {
    const lost = write({ database: { host: join(root, 'missing') } });
    await expect(lost).rejects.toThrow(/^The database cannot be reached: /);
  });
});
