import { DataSource, type DataSourceOptions } from 'typeorm';

import { DatabaseError } from '../../common/errors/database-error.js';
import { messageOf } from '../../common/errors/errors.js';
import { SERVICE_VERSION } from '../../common/runtime/service-version.js';
import { AdvisoryLock, whileLocked } from '../locks/advisory-locks.js';
import { requireFirstSchema } from '../schema/first-schema.js';
import { raiseFloor, requireFloor, type MarkedMigration } from '../schema/schema-floor.js';
import { MigrationLogger } from './migration-logger.js';
import { runMigrations } from './run-migrations.js';
import { hintOn, unreachable } from './unreachable.js';

/** The oldest PostgreSQL version that the schema and the queries work with. */
const MINIMUM_VERSION = 140_000;

/**
 * Opens the pool and brings the schema up to date, one node at a time. `beforeUpgrade` is called before a schema with data changes.
 * @throws DatabaseError
 */
export async function openDataSource(
  options: DataSourceOptions,
  beforeUpgrade: () => Promise<void> = () => Promise.resolve(),
): Promise<DataSource> {
  const migrationLogger = new MigrationLogger();
  const dataSource = new DataSource({ ...options, logger: migrationLogger });
  try {
    await dataSource.initialize();
  } catch (error) {
    throw unreachable(error);
  }
  try {
    await requireVersion(dataSource);
    await migrate(dataSource, beforeUpgrade, migrationLogger);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    if (error instanceof DatabaseError) throw error;
    const where = migrationLogger.failed === null ? '' : ` by ${migrationLogger.failed}`;
    throw new DatabaseError(`The schema of the database could not be brought up to date${where}: ${messageOf(error)}${hintOn(error)}`, {
      cause: error,
    });
  }
}

async function requireVersion(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ server_version_num: string }[]>('SHOW server_version_num');
  if (Number(row?.server_version_num) < MINIMUM_VERSION) {
    throw new DatabaseError(`PostgreSQL 14 or later is required; the server reports version number ${row?.server_version_num}.`);
  }
}

async function migrate(dataSource: DataSource, beforeUpgrade: () => Promise<void>, logger: MigrationLogger): Promise<void> {
  const holder = dataSource.createQueryRunner();
  try {
    await whileLocked(holder, AdvisoryLock.Migration, async () => {
      const done = await doneMigrations(dataSource);
      const pending = await pendingMigrations(dataSource, done);
      if (done.length > 0 && pending.length > 0) await beforeUpgrade();
      // Before the schema changes: a process that ends in between must not leave it open to an older release.
      await raiseFloor(dataSource, pending, SERVICE_VERSION);
      await runMigrations(dataSource, pending, logger);
      await raiseFloor(dataSource, pending, SERVICE_VERSION);
    });
  } finally {
    await holder.release();
  }
}

/**
 * The migrations that the schema lacks.
 * @throws DatabaseError when the schema comes from before the first release; or when it has some that this release does not know, and does
 * not say that it may run on it: it could destroy what a newer one has stored
 */
async function pendingMigrations(dataSource: DataSource, done: readonly string[]): Promise<readonly MarkedMigration[]> {
  const known = new Map(dataSource.migrations.map((migration) => [migration.name ?? migration.constructor.name, migration]));
  await requireFirstSchema(dataSource, done);
  const unknown = done.filter((name) => !known.has(name));
  if (unknown.length > 0) await requireFloor(dataSource, SERVICE_VERSION, unknown);
  for (const name of done) known.delete(name);
  return [...known.values()];
}

/** The names of the migrations that have run, in their order. */
async function doneMigrations(dataSource: DataSource): Promise<readonly string[]> {
  const [{ exists }] = await dataSource.query<{ exists: boolean }[]>(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  if (!exists) return [];
  return (await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id')).map(({ name }) => name);
}
