import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';

import { DatabaseConnection } from '../../../src/platform/database/connection/database-connection.js';
import { verifyBackup } from '../../../src/system/backups/verify-backup.js';
import { writeBackup } from '../../../src/system/backups/write-backup.js';
import { eventually } from '../../support/eventually.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const WAITING = `
  SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE NOT granted AND datname = current_database() AND application_name = 'device-management backup'`;

const server = testServer();
testTenant(server);
const folder = await mkdtemp(join(tmpdir(), 'backed-up-tables-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('a backup that waits for a migration has the rows of a table that the migration has written again', async () => {
  const { config: database } = server.app.get(DatabaseConnection);
  const upgrade = new Client(server.database.connection);
  await upgrade.connect();
  try {
    const [{ count }] = await server.dataSource.query<[{ count: number }]>('SELECT count(*)::integer AS count FROM tenants');
    // Each row gets a value of its own.
    await upgrade.query('BEGIN; ALTER TABLE tenants ADD COLUMN mark uuid NOT NULL DEFAULT gen_random_uuid()');
    const file = join(folder, 'one.backup');
    const backup = writeBackup({ database, dataPath: folder, file, recipients: [], signal: new AbortController().signal });
    await eventually('the backup waits', async () => (await server.dataSource.query<unknown[]>(WAITING)).length > 0);
    await upgrade.query('COMMIT');
    await backup;
    const { tables } = await verifyBackup({ path: file, identities: [] });
    expect(tables.find(({ name }) => name === 'tenants')).toMatchObject({ rows: count, columns: expect.arrayContaining(['mark']) });
    expect(count).toBeGreaterThan(0);
  } finally {
    await upgrade.end();
  }
});
