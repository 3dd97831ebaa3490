import { finished } from 'node:stream/promises';

import pg from 'pg';
import { from, to, type CopyStreamQuery } from 'pg-copy-streams';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';

import { DatabaseError } from '../../platform/common/errors/database-error.js';
import { messageOf } from '../../platform/common/errors/errors.js';
import { SERVICE_VERSION } from '../../platform/common/runtime/service-version.js';
import { dataSourceOptions, type EntityClass } from '../../platform/database/connection/data-source.js';
import type { DatabaseConfig } from '../../platform/database/connection/database-connection.js';
import { openDataSource } from '../../platform/database/connection/open-data-source.js';
import { unreachable } from '../../platform/database/connection/unreachable.js';
import { AdvisoryLock, lockWhileConnected } from '../../platform/database/locks/advisory-locks.js';
import { migrations } from '../../platform/database/migrations/index.js';
import { BackupError } from './backup-error.js';
import type { BackedUpTable, BackupManifest } from './backup-manifest.js';
import { ContentDigest } from './content-digest.js';
import { drained } from './drained.js';
import { placeFiles, removeUnplaced, requirePlaces, writeUnplaced } from './data-folder-files.js';
import { copyIn, copyOut, LEFT_OUT, listed, prepareSession, readTables } from './tables.js';
import { requireNotStopped, verifyBackup, type BackupFile, type BackupVisitor } from './verify-backup.js';

/** Time that a process which is being stopped has to let go of the database, in milliseconds. */
const LOCK_WAIT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Number of tables that a refusal names; it counts the rest. */
const NAMED_TABLES = 3;

/** Sets the sequences of columns behind the greatest values of their tables. */
const SEQUENCES = `
  SELECT format('SELECT setval(%L, coalesce(max(%I), 1), max(%I) IS NOT NULL) FROM %s',
    s.oid::regclass, a.attname, a.attname, t.oid::regclass) AS statement
  FROM pg_class s JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
    JOIN pg_class t ON t.oid = d.refobjid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
  WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace`;

/** Tables, views and sequences that are not part of an extension. */
const RELATIONS = `
  SELECT relname AS name FROM pg_class c
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype = 'e') ORDER BY relkind = 'S', 1`;

export interface RestoreRequest {
  readonly backup: BackupFile;
  /** The contents of the backup, as `verifyBackup` read it before. */
  readonly manifest: BackupManifest;
  readonly database: DatabaseConfig;
  readonly dataPath: string;
  readonly entities: readonly EntityClass[];
  /** Ends the restore early. What is restored when it fires stays. */
  readonly signal: AbortSignal;
}

/**
 * Restores a verified backup into an empty database that no process of the service uses, and upgrades it to this release.
 * Until the end of the one transaction that restores all tables, the database stays empty for everyone else.
 * @returns the tables of the backup that are not of this service, which were left out
 * @throws BackupError or DatabaseError; then the database is as it was
 */
export async function restoreBackup(request: RestoreRequest): Promise<readonly string[]> {
  const { manifest, database, dataPath, entities } = request;
  requireKnown(manifest);
  await requirePlaces(dataPath, manifest.files);
  const holder = await takeService(database);
  try {
    await requireEmpty(holder);
    const leftOut = await inOneTransaction(request);
    const upgraded = await openDataSource(dataSourceOptions(database, entities));
    try {
      // Without statistics the first queries would be slow.
      await upgraded.query('ANALYZE');
    } finally {
      await upgraded.destroy();
    }
    return leftOut;
  } finally {
    await holder.end().catch(() => undefined);
  }
}

/** @throws BackupError when the backup has a newer schema than this release */
function requireKnown({ migrations: done, release }: BackupManifest): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = done.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new BackupError(
    `Release ${release} of this service made the backup, with the migrations ${unknown.join(', ')}, which this release ${SERVICE_VERSION} does not have. Restore it with the release that made it, or a later one. Nothing was changed.`,
  );
}

/** A connection that holds the lock of the service as long as it lasts. @throws BackupError while a process of the service runs */
async function takeService(database: DatabaseConfig): Promise<pg.Client> {
  const client = new pg.Client({
    ...database,
    application_name: 'device-management restore',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (await lockWhileConnected(client, AdvisoryLock.Service, 'exclusive', LOCK_WAIT_MS)) return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw unreachable(error);
  }
  await client.end().catch(() => undefined);
  throw new BackupError('A process of the service, or another restore, uses the database. Stop it, then restore. Nothing was changed.');
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const names = (await client.query<{ name: string }>(RELATIONS)).rows.map(({ name }) => name);
  if (names.length === 0) return;
  const rest = names.length - NAMED_TABLES;
  throw new BackupError(
    `The database is not empty: it has ${names.slice(0, NAMED_TABLES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}. Restore into an empty database, or for the bundled one move the folder pg out of the data folder. Nothing was changed.`,
  );
}

async function inOneTransaction({ backup, manifest, database, dataPath, signal }: RestoreRequest): Promise<readonly string[]> {
  const wanted = new Set(manifest.migrations);
  const options = { ...dataSourceOptions(database, []), migrations: migrations.filter(({ name }) => wanted.has(name)) };
  const dataSource = new DataSource(options);
  await dataSource.initialize();
  const runner = dataSource.createQueryRunner();
  let loader: Loader | undefined;
  try {
    requireNotStopped(signal);
    const client = (await runner.connect()) as pg.PoolClient;
    await prepareSession(client);
    await runner.startTransaction();
    await createSchema(dataSource, runner);
    const tables = await readTables(client);
    const names = tables.map(({ name }) => name);
    requireTables(names, manifest);
    const loaded = manifest.tables.filter(({ name }) => names.includes(name));
    // The transaction made the tables, so that rows stay in the order in which they come.
    await client.query(`TRUNCATE ${listed(names)}`);
    for (const name of names) await client.query(`ALTER TABLE ${listed([name])} DISABLE TRIGGER USER`);
    loader = new Loader(client, dataPath, loaded);
    await verifyBackup(backup, loader, signal);
    await loader.end();
    for (const table of loaded) {
      requireNotStopped(signal);
      await requireEqual(client, table);
    }
    for (const name of names) await client.query(`ALTER TABLE ${listed([name])} ENABLE TRIGGER USER`);
    for (const { statement } of (await client.query<{ statement: string }>(SEQUENCES)).rows) await client.query(statement);
    // Before the end of the transaction: a database that has rows has its files as well.
    await placeFiles(dataPath, manifest.files);
    await runner.commitTransaction();
    return manifest.tables.flatMap(({ name }) => (names.includes(name) ? [] : [name]));
  } catch (error) {
    await loader?.abandon();
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await removeUnplaced(dataPath, manifest.files);
    if (error instanceof BackupError || error instanceof DatabaseError) throw error;
    throw new BackupError(`The restore failed, and the database is empty as before: ${messageOf(error)}`, { cause: error });
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/** Runs the migrations of the backup in the transaction of the runner. */
async function createSchema(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'all';
  await executor.executePendingMigrations();
}

/** @throws BackupError when the backup lacks a table of its schema */
function requireTables(names: readonly string[], manifest: BackupManifest): void {
  const present = new Set([...LEFT_OUT, ...manifest.tables.map(({ name }) => name)]);
  const missing = names.filter((name) => !present.has(name));
  if (missing.length > 0) throw new BackupError(`The backup lacks the table ${missing.join(', ')}. Nothing was changed.`);
}

/** Reads a table as the backup did, and compares. @throws BackupError when they differ */
async function requireEqual(client: pg.PoolClient, table: BackedUpTable): Promise<void> {
  const digest = new ContentDigest();
  for await (const chunk of client.query(to(copyOut(table)))) digest.update(chunk as Buffer);
  if (digest.rows === table.rows && digest.sha256() === table.sha256) return;
  throw new BackupError(
    `The table ${table.name} has ${digest.rows} rows after the restore that differ from the ${table.rows} of the backup. Nothing was changed.`,
  );
}

/** Loads the content of a backup: rows into tables, and files beside their places. */
class Loader implements BackupVisitor {
  private readonly columns: ReadonlyMap<string, BackedUpTable>;
  private current: { readonly name: string; readonly stream: CopyStreamQuery; readonly done: Promise<void> } | null = null;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly dataPath: string,
    tables: readonly BackedUpTable[],
  ) {
    this.columns = new Map(tables.map((table) => [table.name, table]));
  }

  async table(name: string, content: AsyncIterable<Buffer>): Promise<void> {
    const table = this.columns.get(name);
    if (this.current?.name !== name) await this.end();
    if (table !== undefined && this.current === null) this.current = { name, ...this.open(table) };
    for await (const chunk of content) await this.write(chunk);
  }

  async file(path: string, content: AsyncIterable<Buffer>): Promise<void> {
    await this.end();
    await writeUnplaced(this.dataPath, path, content);
  }

  /** Ends the table that is being loaded. */
  async end(): Promise<void> {
    const ended = this.current;
    this.current = null;
    ended?.stream.end();
    await ended?.done;
  }

  /** Ends the table that is being loaded without its rows: until then the connection takes no other statement. */
  async abandon(): Promise<void> {
    const abandoned = this.current;
    this.current = null;
    abandoned?.stream.destroy();
    await abandoned?.done.catch(() => undefined);
  }

  private open(table: BackedUpTable): { readonly stream: CopyStreamQuery; readonly done: Promise<void> } {
    const stream = this.client.query(from(copyIn(table)));
    const done = finished(stream).catch((error: unknown) => {
      throw new BackupError(`The table ${table.name} could not be restored: ${messageOf(error)}. Nothing was changed.`, { cause: error });
    });
    // It is awaited with the next chunk, or at the end.
    done.catch(() => undefined);
    return { stream, done };
  }

  private async write(chunk: Buffer): Promise<void> {
    const { current } = this;
    if (current === null) return;
    if (!current.stream.write(chunk)) await drained(current.stream);
    if (current.stream.destroyed) await current.done;
  }
}
