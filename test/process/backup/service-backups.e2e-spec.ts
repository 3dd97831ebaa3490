import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect } from 'vitest';
import pg from 'pg';

import { runningConnection } from '#libs/local-postgres';

import { BackupOutcome, type ServerBackupsResponseDto } from '../../../src/system/backups/running/server-backups.dto.js';
import { verifyBackup } from '../../../src/system/backups/verify-backup.js';
import { eventually } from '../../support/eventually.js';
import { builtProject, onDatabase, onMachine } from '../../support/processes/service-process.js';
import { filledDatabase, firstDatabase, query, run, upgrade } from './backups.js';

const PATH = '/account/server-backups';
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

const it = onMachine;

describe.concurrent('backups of the running service', () => {
  beforeAll(async () => {
    await builtProject();
  });

  it('of the bundled database are restored into an empty one, and keys work again', async ({ machine }) => {
    const { program, url } = await machine.start();
    const client = machine.client({ url });
    expect((await client.post('/api/v1/tenants', { body: { name: 'Northwind' } })).status).toBeLessThan(300);
    expect((await client.post(PATH)).status).toBe(202);
    const listed = async (): Promise<ServerBackupsResponseDto> => (await client.get(PATH)).body as ServerBackupsResponseDto;
    await eventually('the backup is complete', async () => (await listed()).runs[0]?.outcome === BackupOutcome.Complete);
    const [file] = (await listed()).files;
    await program.stop();
    await rename(join(machine.dataPath, 'pg'), join(machine.folder, 'former-pg'));

    const restored = await run('restore', [file?.path ?? ''], machine.folder, { Service_DataPath: machine.dataPath });
    expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('Start the service.') });
    // Without the bootstrap, so that the key can only come from the backup.
    const without = Object.fromEntries(Object.keys(machine.account.env).map((name) => [name, '']));
    const again = await machine.start(without);
    expect(await machine.client(again).get('/api/v1/tenants')).toMatchObject({ status: 200, text: expect.stringContaining('Northwind') });
    await again.program.stop();
  });

  it('end with the service, and leave no file', async ({ machine, onTestFinished }) => {
    const database = await filledDatabase();
    onTestFinished(() => database.drop());
    await query(
      database,
      `INSERT INTO user_preferences (id, principal_id, name, value)
       SELECT gen_random_uuid(), u.id, 'p' || n, md5(n::text) || md5(-n || '') || md5(n || 'x') FROM (SELECT id FROM users LIMIT 1) u, generate_series(1, 300000) n`,
    );
    const { program, url } = await machine.start(onDatabase(database));
    const folder = join(machine.dataPath, 'backups');
    expect((await machine.client({ url }).post(PATH)).status).toBe(202);
    await eventually('the backup writes', async () => (await namesIn(folder)).length > 0);
    program.signal('SIGTERM');
    const { code, signal } = await program.untilEnd();
    expect(['0', 'SIGTERM']).toContain(signal ?? String(code));
    expect(await namesIn(folder)).toEqual([]);
    expect(await query(database, 'SELECT failure FROM backup_runs')).toEqual([{ failure: 'The backup was stopped. No file was left.' }]);
  });
});

describe.concurrent('an upgrade', () => {
  beforeAll(async () => {
    await builtProject();
  });

  it('of the bundled database begins with a backup of it, once, and is refused without one', async ({ machine }) => {
    const { program } = await machine.start();
    const client = new pg.Client(await runningConnection(machine.dataPath));
    await client.connect();
    await client.query(`DROP TABLE backup_runs; DELETE FROM migrations WHERE name = 'BackupRuns1764310000000'`);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    await client.end();
    await program.stop();

    const refused = machine.launch({ Service_Backup__Folder: join(machine.dataPath, 'pg', 'PG_VERSION', 'none') });
    expect((await refused.untilEnd()).code).toBe(1);
    expect(refused.output).toContain('The upgrade needs a backup first.');

    const folder = join(machine.dataPath, 'backups');
    await (await machine.start()).program.stop();
    const [name, ...others] = await namesIn(folder);
    expect([name, others]).toEqual([expect.stringMatching(/^upgrade-\d{8}T\d{6}Z\.backup$/), []]);
    const { migrations, tables } = await verifyBackup({ path: join(folder, name ?? ''), identities: [] });
    // The refused start has changed nothing.
    expect(migrations).toEqual(rows.map((row) => row.name));
    expect(tables.some((table) => table.name === 'backup_runs')).toBe(false);
    await (await machine.start()).program.stop();
    expect(await namesIn(folder)).toEqual([name]);
  });

  it('gives way to a transaction that holds a table, so that others can work, and goes on after it', async ({ onTestFinished }) => {
    const database = await firstDatabase();
    onTestFinished(() => database.drop());
    const holder = new pg.Client(database.connection);
    const other = new pg.Client(database.connection);
    await Promise.all([holder.connect(), other.connect()]);
    await holder.query('BEGIN; SELECT FROM users LIMIT 1; SELECT FROM devices LIMIT 1');
    let isDone = false;
    const upgraded = upgrade(database).finally(() => (isDone = true));
    await eventually('the upgrade waits for a table', async () => {
      const { rows } = await other.query(
        `SELECT 1 FROM pg_locks WHERE NOT granted AND relation IS NOT NULL
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rows.length > 0;
    });
    // Waits behind the upgrade only until that gives way.
    await other.query('SELECT FROM users LIMIT 1');
    await other.query('SELECT FROM devices LIMIT 1');
    expect(isDone).toBe(false);
    await holder.query('COMMIT');
    await upgraded;
    expect(await query(database, `SELECT to_regclass('backup_runs') IS NOT NULL AS there`)).toEqual([{ there: true }]);
    await Promise.all([holder.end(), other.end()]);
  });
});
