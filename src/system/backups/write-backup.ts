import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

import type pg from 'pg';
import { to } from 'pg-copy-streams';

import { messageOf } from '../../platform/common/errors/errors.js';
import { SERVICE_VERSION } from '../../platform/common/runtime/service-version.js';
import type { DatabaseConfig } from '../../platform/database/connection/database-connection.js';
import { ArchiveWriter } from './archive-writer.js';
import { BackupError } from './backup-error.js';
import {
  FORMAT,
  HEADER_MEMBER,
  MANIFEST_MEMBER,
  fileMember,
  tableMember,
  type BackedUpFile,
  type BackedUpTable,
  type BackupHeader,
  type BackupManifest,
} from './backup-manifest.js';
import { ContentDigest } from './content-digest.js';
import { dataFilesIn, openDataFile, type DataFile } from './data-folder-files.js';
import { copyOut, LEFT_OUT, listed, prepareSession, readTables, type SchemaTable } from './tables.js';
import { BACKUP, connectForBackup, takeTurn } from './turn.js';

/** Size of the parts of a table, in bytes: what a backup holds in memory. */
const PART_BYTES = 256 * 1024;
/** Rows take this part of their size on disk at most, once they are compressed. */
const COMPRESSED_SHARE = 0.4;
/** Space that must stay free beside the backup, in bytes. */
const RESERVE_BYTES = 16 * 1024 * 1024;

/** Longest wait for the end of another backup, in milliseconds: one that is just ending is no reason to refuse. */
const TURN_WAIT_MS = 500;
const ANOTHER_RUNS = 'Another backup of this database is running. Wait until it has ended.';

export interface BackupRequest {
  readonly database: DatabaseConfig;
  readonly dataPath: string;
  /** The file that is written. */
  readonly file: string;
  /** Recipients of age; empty: not encrypted. */
  readonly recipients: readonly string[];
  /** Ends the backup early. */
  readonly signal: AbortSignal;
  /** Name of the connection; by default that of the service's own backups. */
  readonly connectionName?: string;
  /** Is called once no other backup runs, before anything is written. */
  readonly onTurn?: () => Promise<void>;
  /** Is called once the file is complete, before another backup can begin. What it throws fails the backup; the file stays. */
  readonly onFinished?: (backup: FinishedBackup) => Promise<void>;
  /** Waits between two parts, so that others get processor and disk. */
  readonly rest?: () => Promise<void>;
}

/** A finished backup. */
export interface FinishedBackup {
  readonly manifest: BackupManifest;
  /** Size of the file in bytes. */
  readonly size: number;
}

/**
 * Writes all tables as of one moment, and the files of the data folder, into one file, beside a service that runs or without one.
 * @throws BackupError, or DatabaseError when the database cannot be reached. No file is left then.
 */
export async function writeBackup(request: BackupRequest): Promise<FinishedBackup> {
  const { database, file, recipients, signal, connectionName = BACKUP } = request;
  const client = await connectForBackup(database, connectionName);
  const end = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', end);
  let writer: ArchiveWriter | undefined;
  try {
    signal.throwIfAborted();
    if (!(await takeTurn(client, TURN_WAIT_MS))) throw new BackupError(ANOTHER_RUNS);
    await request.onTurn?.();
    const snapshot = await openSnapshot(client);
    await requireFolder(dirname(file));
    await requireSpace(dirname(file), snapshot.tables, await dataFilesIn(request.dataPath));
    writer = await ArchiveWriter.create(file, recipients);
    const manifest = await fill(request, writer, client, snapshot);
    signal.throwIfAborted();
    const finished = { manifest, size: await writer.finish() };
    await request.onFinished?.(finished);
    return finished;
  } catch (error) {
    await writer?.discard();
    if (signal.aborted) throw new BackupError('The backup was stopped. No file was left.', { cause: error });
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The backup failed: ${messageOf(error)}`, { cause: error });
  } finally {
    signal.removeEventListener('abort', end);
    await client.end().catch(() => undefined);
  }
}

interface Snapshot {
  readonly tables: readonly SchemaTable[];
  readonly migrations: readonly string[];
  readonly postgresVersion: number;
}

/** Begins the transaction that reads everything as of one moment, and keeps migrations off the tables until it ends. */
async function openSnapshot(client: pg.Client): Promise<Snapshot> {
  await prepareSession(client);
  const present = await readTables(client);
  if (!present.some(({ name }) => name === 'migrations')) {
    throw new BackupError('The database has no tables of this service. Check the configuration: a backup needs that of the service.');
  }
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // Before the first query, as of which the transaction reads: a table that a migration has written again since then would look empty.
  await lock(client, present);
  const tables = await readTables(client);
  // With those that the migration has made.
  await lock(client, tables);
  const migrations = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  const version = await client.query<{ server_version_num: string }>('SHOW server_version_num');
  return {
    tables: tables.filter(({ name }) => !LEFT_OUT.includes(name)),
    migrations: migrations.rows.map(({ name }) => name),
    postgresVersion: Number(version.rows[0]?.server_version_num),
  };
}

async function lock(client: pg.Client, tables: readonly SchemaTable[]): Promise<void> {
  await client.query(`LOCK TABLE ${listed(tables.map(({ name }) => name))} IN ACCESS SHARE MODE`);
}

async function requireFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new BackupError(`The folder ${folder} cannot be written to: ${messageOf(error)}`, { cause: error });
  }
}

async function requireSpace(folder: string, tables: readonly SchemaTable[], files: readonly DataFile[]): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = Math.ceil(sumOf(tables) * COMPRESSED_SHARE) + sumOf(files) + RESERVE_BYTES;
  if (bavail * bsize >= needed) return;
  throw new BackupError(
    `The disk of ${folder} has ${inMebibytes(bavail * bsize)} free, and the backup may need ${inMebibytes(needed)}. Make space, or name another folder.`,
  );
}

function sumOf(parts: readonly { readonly size: number }[]): number {
  return parts.reduce((sum, { size }) => sum + size, 0);
}

function inMebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

async function fill(
  { dataPath, rest = () => Promise.resolve() }: BackupRequest,
  writer: ArchiveWriter,
  client: pg.Client,
  { tables, migrations, postgresVersion }: Snapshot,
): Promise<BackupManifest> {
  const header: BackupHeader = { format: FORMAT, release: SERVICE_VERSION, createdAt: new Date().toISOString() };
  await writer.add(HEADER_MEMBER, Buffer.from(JSON.stringify(header)));
  const backedUpTables: BackedUpTable[] = [];
  for (const table of tables) backedUpTables.push(await addTable(writer, client, table, rest));
  await client.query('COMMIT');
  const backedUpFiles: BackedUpFile[] = [];
  // Tables take long: files may have come, gone or grown since their space was looked for.
  for (const { path } of await dataFilesIn(dataPath)) backedUpFiles.push(...(await addFile(writer, dataPath, path)));
  const manifest: BackupManifest = { ...header, postgresVersion, migrations, tables: backedUpTables, files: backedUpFiles };
  await writer.add(MANIFEST_MEMBER, Buffer.from(JSON.stringify(manifest)));
  return manifest;
}

async function addTable(writer: ArchiveWriter, client: pg.Client, table: SchemaTable, rest: () => Promise<void>): Promise<BackedUpTable> {
  const digest = new ContentDigest();
  let part = 0;
  for await (const content of inParts(client.query(to(copyOut(table))))) {
    digest.update(content);
    await writer.add(tableMember(table.name, part), content);
    part += 1;
    await rest();
  }
  return { name: table.name, columns: table.columns, rows: digest.rows, bytes: digest.bytes, sha256: digest.sha256() };
}

/** Adds a file as it is now; none when it was removed since it was listed. */
async function addFile(writer: ArchiveWriter, dataPath: string, path: string): Promise<readonly BackedUpFile[]> {
  const file = await openDataFile(dataPath, path);
  if (file === null) return [];
  try {
    const { size } = await file.stat();
    const digest = new ContentDigest();
    const source = size === 0 ? [] : file.createReadStream({ end: size - 1, autoClose: false });
    await writer.addFrom(fileMember(path), size, digested(source, digest));
    return [{ path, bytes: digest.bytes, sha256: digest.sha256() }];
  } finally {
    await file.close();
  }
}

async function* digested(source: AsyncIterable<Buffer> | Iterable<Buffer>, digest: ContentDigest): AsyncIterable<Buffer> {
  for await (const chunk of source) {
    digest.update(chunk);
    yield chunk;
  }
}

/** The bytes of a stream in parts of about the same size. */
async function* inParts(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    held.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(held, size);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held, size);
}
