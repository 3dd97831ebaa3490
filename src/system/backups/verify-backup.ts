import { SERVICE_VERSION } from '../../platform/common/runtime/service-version.js';
import { readArchive, type ArchiveMember } from './archive-reader.js';
import { BackupError } from './backup-error.js';
import {
  MAXIMUM_JSON_BYTES,
  MANIFEST_MEMBER,
  memberOf,
  readHeader,
  readManifest,
  type BackupManifest,
  type Member,
} from './backup-manifest.js';
import { ContentDigest } from './content-digest.js';
import { isDataFile } from './data-folder-files.js';

/** A backup file, and the identities of age that may open it. */
export interface BackupFile {
  readonly path: string;
  readonly identities: readonly string[];
}

/** Takes the content of a backup in its order. */
export interface BackupVisitor {
  /** A part of a table; the parts of a table follow each other. */
  table(name: string, content: AsyncIterable<Buffer>): Promise<void>;
  file(path: string, content: AsyncIterable<Buffer>): Promise<void>;
}

const tableName = (name: string): string => `the table ${name}`;
const fileName = (path: string): string => `the file ${path}`;

/** A signal that does not fire. */
const NEVER = new AbortController().signal;

const DRAIN: BackupVisitor = { table: (_, content) => drain(content), file: (_, content) => drain(content) };

/**
 * Reads a backup to its end, compares it with its manifest, and returns that. The signal ends it early.
 * @throws BackupError that names the table or member that differs, and when a newer release made the backup
 */
export async function verifyBackup(
  backup: BackupFile,
  visitor: BackupVisitor = DRAIN,
  signal: AbortSignal = NEVER,
): Promise<BackupManifest> {
  const digests = new Map<string, ContentDigest>();
  const digestOf = (name: string): ContentDigest => {
    const digest = digests.get(name) ?? new ContentDigest();
    digests.set(name, digest);
    return digest;
  };
  let hasHeader = false;
  let manifest: BackupManifest | null = null;
  for await (const member of readArchive(backup.path, backup.identities)) {
    const known = memberOf(member.name);
    if (known === null || hasHeader === (known.kind === 'header') || manifest !== null || !isPlaced(known)) {
      throw new BackupError(`${backup.path} is no backup of this service: it has the member ${member.name}.`);
    }
    hasHeader = true;
    const read = (name: string): AsyncIterable<Buffer> => digested(member.content, digestOf(name), signal);
    if (known.kind === 'header') readHeader(await textOf(member), SERVICE_VERSION);
    else if (known.kind === 'manifest') manifest = readManifest(await textOf(member));
    else if (known.kind === 'table') await visitor.table(known.table, read(tableName(known.table)));
    else await visitor.file(known.path, read(fileName(known.path)));
  }
  if (manifest === null)
    throw new BackupError(`${backup.path} is cut off: it has no ${MANIFEST_MEMBER}. Nothing was changed. Use another backup.`);
  compare(backup.path, manifest, digests);
  return manifest;
}

function isPlaced(member: Member): boolean {
  return member.kind !== 'file' || isDataFile(member.path);
}

function compare(path: string, manifest: BackupManifest, digests: Map<string, ContentDigest>): void {
  const expected = [
    ...manifest.tables.map(({ name, ...content }) => ({ ...content, name: tableName(name) })),
    ...manifest.files.map((content) => ({ ...content, name: fileName(content.path), rows: null })),
  ];
  for (const { name, rows, bytes, sha256 } of expected) {
    const read = digests.get(name) ?? new ContentDigest();
    digests.delete(name);
    if (read.bytes === bytes && (rows === null || read.rows === rows) && read.sha256() === sha256) continue;
    throw new BackupError(`${path} is damaged: ${name} differs from the manifest. Nothing was changed. Use another backup.`);
  }
  for (const name of digests.keys())
    throw new BackupError(`${path} is damaged: its manifest lacks ${name}. Nothing was changed. Use another backup.`);
}

/** @throws BackupError when the operator has stopped the program */
export function requireNotStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new BackupError('Stopped before the end. Nothing was changed.');
}

async function* digested(source: AsyncIterable<Buffer>, digest: ContentDigest, signal: AbortSignal): AsyncIterable<Buffer> {
  for await (const chunk of source) {
    requireNotStopped(signal);
    digest.update(chunk);
    yield chunk;
  }
}

async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of content) void chunk;
}

async function textOf({ name, size, content }: ArchiveMember): Promise<string> {
  if (size > MAXIMUM_JSON_BYTES) throw new BackupError(`The file is no backup of this service: its ${name} is too long.`);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
