import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DatabaseConnection } from '../../../src/platform/database/connection/database-connection.js';
import type { BackupManifest } from '../../../src/system/backups/backup-manifest.js';
import { verifyBackup } from '../../../src/system/backups/verify-backup.js';
import { writeBackup } from '../../../src/system/backups/write-backup.js';
import { testServer } from '../../support/setup/test-server.js';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the files of the data folder in a backup', async () => {
  const server = testServer();
  const folder = await mkdtemp(join(tmpdir(), 'backed-up-files-'));
  const downloads = join(folder, 'downloads');
  let count = 0;
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    await rm(downloads, { recursive: true, force: true });
    await mkdir(downloads);
    await writeFile(join(downloads, 'agent.zip'), 'first');
    await writeFile(join(downloads, 'stays.txt'), 'the same');
  });

  /** Makes a backup, with an act while tables are read, and returns what a reader of the file finds. */
  async function backedUp(act: () => Promise<void> = () => Promise.resolve()): Promise<BackupManifest> {
    const { config: database } = server.app.get(DatabaseConnection);
    const file = join(folder, `${(count += 1)}.backup`);
    let hasActed = false;
    const rest = async (): Promise<void> => {
      if (!hasActed) await act();
      hasActed = true;
    };
    await writeBackup({ database, dataPath: folder, file, recipients: [], signal: new AbortController().signal, rest });
    expect(hasActed).toBe(true);
    return verifyBackup({ path: file, identities: [] });
  }

  it('lack one that is removed while the tables are read', async () => {
    const { files } = await backedUp(() => rm(join(downloads, 'agent.zip')));
    expect(files.map(({ path }) => path)).toEqual(['downloads/stays.txt']);
  });

  it('have the whole of one that is replaced while the tables are read', async () => {
    const { files } = await backedUp(async () => {
      await writeFile(join(downloads, '.next'), 'a second, longer file');
      await rename(join(downloads, '.next'), join(downloads, 'agent.zip'));
    });
    expect(files).toContainEqual(expect.objectContaining({ path: 'downloads/agent.zip', sha256: digestOf('a second, longer file') }));
  });

  it.each(['folder\\agent.exe', 'a line\nbreak', 'ä "name"', 'x'.repeat(200)])(
    'can be restored from a folder with the name %j',
    async (name) => {
      await writeFile(join(downloads, name), 'content');
      const { files } = await backedUp();
      expect(files.map(({ path }) => path)).toContain('downloads/stays.txt');
    },
  );
});
