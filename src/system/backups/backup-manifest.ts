import { isBefore } from '../../platform/common/identifiers/version.js';
import { BackupError } from './backup-error.js';

/*
 * A backup is a tar archive, compressed by gzip, and encrypted by age where recipients are named. Its members in their order:
 *
 *     header.json                    format and release
 *     tables/<table>/000000, …       rows in the text format of COPY, cut into parts, tables in the order of their foreign keys
 *     files/<path in the data folder>
 *     manifest.json                  what the file must hold; without it the file is cut off
 */

/** Number of the format that this release writes, and the newest that it reads. */
export const FORMAT = 1;

export const HEADER_MEMBER = 'header.json';
export const MANIFEST_MEMBER = 'manifest.json';
const TABLE_MEMBER = /^tables\/([a-z0-9_]+)\/\d+$/;
const FILES_PREFIX = 'files/';
const PART_DIGITS = 6;

/** Largest header or manifest, in bytes. */
export const MAXIMUM_JSON_BYTES = 16 * 1024 * 1024;

/** First member: what a reader must know before it reads on. */
export interface BackupHeader {
  readonly format: number;
  /** The release that made the backup. */
  readonly release: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Content of a table or a file. */
interface Content {
  readonly bytes: number;
  /** Of the bytes in the archive, in hex. */
  readonly sha256: string;
}

export interface BackedUpTable extends Content {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

export interface BackedUpFile extends Content {
  /** Path within the data folder, with `/`. */
  readonly path: string;
}

/** Last member: all that the backup holds. */
export interface BackupManifest extends BackupHeader {
  /** Version number of the PostgreSQL server. */
  readonly postgresVersion: number;
  /** Names of the migrations that made the schema, in their order. */
  readonly migrations: readonly string[];
  /** In the order of their foreign keys. */
  readonly tables: readonly BackedUpTable[];
  readonly files: readonly BackedUpFile[];
}

/** A member by what it holds. */
export type Member =
  | { readonly kind: 'header' }
  | { readonly kind: 'manifest' }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'file'; readonly path: string };

/** The kind of a member by its name; null for one that backups do not have. */
export function memberOf(name: string): Member | null {
  if (name === HEADER_MEMBER) return { kind: 'header' };
  if (name === MANIFEST_MEMBER) return { kind: 'manifest' };
  const [, table] = TABLE_MEMBER.exec(name) ?? [];
  if (table !== undefined) return { kind: 'table', table };
  return name.startsWith(FILES_PREFIX) ? { kind: 'file', path: name.slice(FILES_PREFIX.length) } : null;
}

/** Name of a part of a table. */
export function tableMember(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(PART_DIGITS, '0')}`;
}

/** Name of a file of the data folder. */
export function fileMember(path: string): string {
  return `${FILES_PREFIX}${path}`;
}

/**
 * The header in its JSON.
 * @throws BackupError when a newer release made the file
 */
export function readHeader(text: string, ownRelease: string): BackupHeader {
  const { format, release, createdAt } = objectIn(text);
  if (typeof format !== 'number' || typeof release !== 'string' || typeof createdAt !== 'string') throw unreadable(HEADER_MEMBER);
  if (format > FORMAT || isBefore(ownRelease, release)) {
    throw new BackupError(
      `Release ${release} of this service made the backup, and this is release ${ownRelease}. Restore it with release ${release} or later.`,
    );
  }
  return { format, release, createdAt };
}

/** The manifest in its JSON. @throws BackupError when it is none */
export function readManifest(text: string): BackupManifest {
  const value = objectIn(text);
  if (!isManifest(value)) throw unreadable(MANIFEST_MEMBER);
  return value;
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isManifest(value: object): value is BackupManifest {
  const { format, release, createdAt, postgresVersion, migrations, tables, files } = value as Partial<
    Record<keyof BackupManifest, unknown>
  >;
  return (
    [format, postgresVersion].every((each) => typeof each === 'number') &&
    [release, createdAt].every((each) => typeof each === 'string') &&
    isListOf(migrations, (each) => typeof each === 'string') &&
    isListOf(tables, isTable) &&
    isListOf(files, (each) => isObject(each) && isContent(each) && typeof each.path === 'string')
  );
}

function isTable(value: unknown): boolean {
  if (!isObject(value) || !isContent(value) || typeof value.rows !== 'number' || typeof value.name !== 'string') return false;
  return /^[a-z0-9_]+$/.test(value.name) && isListOf(value.columns, (each) => typeof each === 'string');
}

function isContent({ bytes, sha256 }: Readonly<Record<string, unknown>>): boolean {
  return typeof bytes === 'number' && typeof sha256 === 'string';
}

function isListOf(value: unknown, isEntry: (entry: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isEntry);
}

function unreadable(member: string): BackupError {
  return new BackupError(`The file is no backup of this service: its ${member} cannot be read.`);
}
