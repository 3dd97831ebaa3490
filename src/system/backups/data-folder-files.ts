import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { hasCode } from '../../platform/common/errors/system-error.js';
import { BackupError } from './backup-error.js';
import type { BackedUpFile } from './backup-manifest.js';

/** Key of agent updates that earlier versions stored in a file. */
const KEY = 'agent-bundle-key.pem';
/** Folder of the files that the operator publishes. */
const DOWNLOADS = 'downloads';
/** Deepest folder of published files. */
const MAXIMUM_DEPTH = 16;

/** A file of the data folder that belongs to a backup. */
export interface DataFile {
  /** Path within the data folder, with `/`. */
  readonly path: string;
  readonly size: number;
}

/** Keys and published files of a data folder, sorted by path. */
export async function dataFilesIn(dataPath: string): Promise<readonly DataFile[]> {
  return [...(await fileAt(dataPath, KEY)), ...(await filesIn(dataPath, DOWNLOADS, 0))];
}

/** Opens a file that was listed; null when it was removed since. The caller closes it. */
export function openDataFile(dataPath: string, path: string): Promise<FileHandle | null> {
  return open(join(dataPath, path), 'r').catch(ifMissing);
}

/** Checks that a path is one that backups have, so that a file cannot be placed anywhere else. */
export function isDataFile(path: string): boolean {
  if (path === KEY) return true;
  const parts = path.split('/');
  return parts.length > 1 && parts[0] === DOWNLOADS && parts.every((part) => part !== '' && !part.startsWith('.') && !/[\\\0]/.test(part));
}

/** @throws BackupError when the data folder has another file in the place of one of the backup */
export async function requirePlaces(dataPath: string, files: readonly BackedUpFile[]): Promise<void> {
  for (const { path, bytes, sha256 } of files) {
    const [found] = await fileAt(dataPath, path);
    if (found === undefined || (found.size === bytes && (await digestOf(join(dataPath, path))) === sha256)) continue;
    throw new BackupError(
      `${join(dataPath, path)} differs from the file in the backup. Move it away, then restore again. Nothing was changed.`,
    );
  }
}

/** Writes a file of a backup beside its place, under a name that `placeFiles` replaces. */
export async function writeUnplaced(dataPath: string, path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const target = unplaced(dataPath, path);
  await mkdir(dirname(target), { recursive: true });
  await pipeline(content, createWriteStream(target, { mode: path === KEY ? 0o600 : 0o644, flush: true }));
}

/** Gives the written files their names. */
export async function placeFiles(dataPath: string, files: readonly BackedUpFile[]): Promise<void> {
  for (const { path } of files) await rename(unplaced(dataPath, path), join(dataPath, path));
}

/** Removes written files that have no name yet. */
export async function removeUnplaced(dataPath: string, files: readonly BackedUpFile[]): Promise<void> {
  for (const { path } of files) await rm(unplaced(dataPath, path), { force: true });
}

/** Published files with such a name are hidden, so that nobody downloads half of one. */
function unplaced(dataPath: string, path: string): string {
  const place = join(dataPath, path);
  return join(dirname(place), `.${path.split('/').at(-1) ?? ''}.restored`);
}

async function filesIn(dataPath: string, folder: string, depth: number): Promise<readonly DataFile[]> {
  if (depth > MAXIMUM_DEPTH) throw new BackupError(`${join(dataPath, folder)} has more than ${MAXIMUM_DEPTH} folders in each other.`);
  const found: DataFile[] = [];
  for (const name of (await namesIn(join(dataPath, folder))).sort()) {
    const path = `${folder}/${name}`;
    // Hidden files, and those with a backslash in their name, are not published.
    if (!isDataFile(path)) continue;
    if ((await stat(join(dataPath, path)).catch(ifMissing))?.isDirectory()) found.push(...(await filesIn(dataPath, path, depth + 1)));
    else found.push(...(await fileAt(dataPath, path)));
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

/** The regular file at a path, or none. */
async function fileAt(dataPath: string, path: string): Promise<readonly DataFile[]> {
  const found = await stat(join(dataPath, path)).catch(ifMissing);
  return found?.isFile() === true ? [{ path, size: found.size }] : [];
}

function ifMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
  throw error;
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
