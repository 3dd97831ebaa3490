import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import pg from 'pg';
import { pack } from 'tar-stream';

import { Program } from '../../../demo/program.js';
import { plainEnvironment } from '../../../demo/service.js';
import { entities } from '../../../src/entities.js';
import { dataSourceOptions } from '../../../src/platform/database/connection/data-source.js';
import { openDataSource } from '../../../src/platform/database/connection/open-data-source.js';
import { readArchive } from '../../../src/system/backups/archive-reader.js';
import { LEFT_OUT } from '../../../src/system/backups/tables.js';
import { createTestDatabase, type TestDatabase } from '../../support/brokers/postgres.js';
import { builtProject, onDatabase, type Environment } from '../../support/processes/service-process.js';

/** A program that ended. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** The programs that operators run. */
type OperatorProgram = 'audit-verify' | 'backup' | 'restore';

/** Launches a program that operators run, without npm. */
export async function launch(name: OperatorProgram, args: readonly string[], folder: string, env: Environment): Promise<Program> {
  const command = [process.execPath, join(await builtProject(), `dist/service/${name}.js`), ...args];
  return Program.start(name, command, { cwd: folder, env: { ...plainEnvironment(), ...env } });
}

/** As `launch`, to the end of the program. */
export async function run(name: OperatorProgram, args: readonly string[], folder: string, env: Environment): Promise<Ended> {
  const program = await launch(name, args, folder, env);
  const { code } = await program.untilEnd();
  return { code, output: program.output };
}

/** The configuration with a database and a data folder. */
export function configured(database: TestDatabase, dataPath: string): Environment {
  return { ...onDatabase(database), Service_DataPath: dataPath };
}

/** Runs statements in a database. */
export async function query<Row extends pg.QueryResultRow>({ connection }: TestDatabase, text: string): Promise<readonly Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A database without any table. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await query(database, 'DROP SCHEMA public CASCADE');
  await query(database, 'CREATE SCHEMA public');
  return database;
}

/** A database of the first release with rows in every table. */
export async function firstDatabase(): Promise<TestDatabase> {
  const database = await emptyDatabase();
  await query(database, await readFile(new URL('../../contract/fixtures/first-schema.sql', import.meta.url), 'utf8'));
  return database;
}

/** A database of this release with rows in every table of the first one. */
export async function filledDatabase(): Promise<TestDatabase> {
  const database = await firstDatabase();
  await upgrade(database);
  return database;
}

/** Upgrades a database to this release. */
export async function upgrade(database: TestDatabase): Promise<void> {
  await (await openDataSource(dataSourceOptions(database.connection, entities))).destroy();
}

/** Names of the tables of a database. */
export async function tablesOf(database: TestDatabase): Promise<readonly string[]> {
  const rows = await query<{ name: string }>(database, `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/** All rows of each table that backups hold, as one digest a table. */
export async function contentsOf(database: TestDatabase): Promise<Readonly<Record<string, string>>> {
  const names = (await tablesOf(database)).filter((name) => !LEFT_OUT.includes(name));
  const digests: Record<string, string> = {};
  for (const name of names) {
    const text = `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C")), '') AS digest FROM "${name}" t`;
    const [row] = await query<{ digest: string }>(database, text);
    digests[name] = row?.digest ?? '';
  }
  return digests;
}

/** Checks whether a restore has begun to write. */
export async function isRestoring(database: TestDatabase): Promise<boolean> {
  const rows = await query(
    database,
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'device-management' AND backend_xid IS NOT NULL`,
  );
  return rows.length > 0;
}

/** Checks whether others are connected to a database. */
export async function isConnected(database: TestDatabase): Promise<boolean> {
  const others = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
  return (await query(database, others)).length > 0;
}

/** A copy of an archive in which the members whose names begin so are changed, renamed, or (with neither) left out. */
export async function changedArchive(
  path: string,
  member: string,
  change: ((text: string) => string) | null,
  name: string | null,
): Promise<Buffer> {
  const copy = pack();
  for await (const entry of readArchive(path, [])) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry.content) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    const isMeant = entry.name.startsWith(member);
    if (isMeant && change === null && name === null) continue;
    copy.entry({ name: isMeant && name !== null ? name : entry.name }, isMeant && change !== null ? change(content.toString()) : content);
  }
  copy.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of copy) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}
