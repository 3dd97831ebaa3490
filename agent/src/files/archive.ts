import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, opendir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { messageOf, RefusedError } from '../failures.js';
import { fileOrDirectoryAt, lstatOrUndefined } from './file-system.js';

/** The directory at the end of an archive is kept in memory until it is written. */
const MAX_ARCHIVE_ENTRIES = 100_000;

/**
 * Writes a zip of files and directories to `archivePath`. Symbolic links inside of directories and what cannot be read
 * are left out; equal names get ` (2)`, ` (3)`. Throws when one of the paths is missing.
 */
export async function writeArchive(archivePath: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await fileOrDirectoryAt(path);
  const names = uniqueNames(paths.map((path) => basename(path) || 'root'));
  const zip = new ZipFile();
  const failed = new Promise<never>((_, reject) => {
    zip.on('error', (error) => reject(new Error(messageOf(error), { cause: error })));
  });
  const written = pipeline(zip.outputStream, createWriteStream(archivePath, { mode: 0o600 }));
  await Promise.race([failed, Promise.all([written, addTrees(zip, paths, names)])]);
}

/** `a.txt`, `a.txt` become `a.txt`, `a (2).txt`. Names that differ only in case count as equal, for the sake of Windows. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let candidate = name;
    for (let number = 2; taken.has(candidate.toLowerCase()); number++) candidate = withNumber(name, number);
    taken.add(candidate.toLowerCase());
    return candidate;
  });
}

function withNumber(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)} (${number})${name.slice(dot)}` : `${name} (${number})`;
}

async function addTrees(zip: ZipFile, paths: readonly string[], names: readonly string[]): Promise<void> {
  let entries = 0;
  for (const [index, path] of paths.entries()) {
    for await (const found of tree(path, names[index])) {
      if (++entries > MAX_ARCHIVE_ENTRIES) throw new RefusedError(`An archive may not hold more than ${MAX_ARCHIVE_ENTRIES} entries.`);
      if (found.isDirectory) zip.addEmptyDirectory(found.nameInArchive, { mtime: found.modified, mode: found.mode });
      else await addFile(zip, found);
    }
  }
  zip.end();
}

interface Found {
  readonly path: string;
  readonly nameInArchive: string;
  readonly isDirectory: boolean;
  readonly modified: Date;
  readonly mode: number;
}

/** What is at the path and below it. The first path may be a link that the caller named; links below are left out. */
async function* tree(path: string, nameInArchive: string): AsyncIterable<Found> {
  const stats = await fileOrDirectoryAt(path);
  const found = { path, nameInArchive, isDirectory: stats.isDirectory(), modified: stats.mtime, mode: stats.mode };
  if (!found.isDirectory) {
    if (await isReadable(path)) yield found;
    return;
  }
  yield found;
  if (!(await isReadable(path))) return;
  for await (const { name } of await opendir(path)) {
    const below = join(path, name);
    const belowStats = await lstatOrUndefined(below);
    if (belowStats?.isFile() === true || belowStats?.isDirectory() === true) yield* tree(below, `${nameInArchive}/${name}`);
  }
}

/** Adds one file and resolves when its contents are in the archive, so that one file is open at a time. */
async function addFile(zip: ZipFile, found: Found): Promise<void> {
  return new Promise((resolve) => {
    zip.addReadStreamLazy(found.nameInArchive, { mtime: found.modified, mode: found.mode }, (hand) => {
      const contents = createReadStream(found.path);
      contents.once('close', resolve);
      contents.once('error', (error) => zip.emit('error', error));
      hand(null, contents);
    });
  });
}

async function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
