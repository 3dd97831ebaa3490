import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { Settings } from '../../../src/platform/config/settings.js';
import { DatabaseConnection } from '../../../src/platform/database/connection/database-connection.js';
import { backUpBeforeUpgrade } from '../../../src/system/backups/running/upgrade-backup.js';
import { testServer } from '../../support/setup/test-server.js';

const server = testServer();

it('a backup before an upgrade is enough for the upgrade, even if an old one cannot be removed', async () => {
  const dataPath = await mkdtemp(join(tmpdir(), 'upgrade-backup-'));
  onTestFinished(() => rm(dataPath, { recursive: true, force: true }));
  const backups = join(dataPath, 'backups');
  // As a file that may not be removed, which root would.
  const old = 'upgrade-20200101T000000Z.backup';
  await mkdir(join(backups, old), { recursive: true });
  await writeFile(join(backups, old, 'kept'), '');
  const settings = server.app.get(Settings);
  const { config } = server.app.get(DatabaseConnection);
  await backUpBeforeUpgrade({ ...settings, dataPath, database: { kind: 'bundled' }, backup: { ...settings.backup, keep: 1 } }, config);
  expect((await readdir(backups)).sort()).toEqual([old, expect.stringMatching(/^upgrade-\d{8}T\d{6}Z\.backup$/)]);
});
