import { createWriteStream, type Dir } from 'node:fs';
import { opendir, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { isMissing, isRefusedAccess, RefusedError } from '../failures.js';
import { fileOrDirectoryAt, lstatOrUndefined, openFile, requireReadable } from './file-system.js';

/** Most entries of an archive: its directory is kept in memory until it is written at the end. */
const MAX_ARCHIVE_ENTRIES = 100_000;

/**
 * Writes a zip of files and directories to `archivePath`. Symbolic links inside directories, unreadable files and files that
 * vanish meanwhile are left out; equal names get ` (2)`, ` (3)`. Throws when one of the paths is missing or the agent may not read
 * it. All files are closed when the promise settles.
 */
export async function writeArchive(archivePath: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await fileOrDirectoryAt(path);
    await requireReadable(path);
  }
  const names = uniqueNames(paths.map((path) => nameInArchive(basename(path)) || 'root'));
  const zip = new ZipFile();
  const broken = new AbortController();
  const breakOff = (error: unknown): void => broken.abort(error);
  zip.on('error', breakOff);
  const { signal } = broken;
  const written = pipeline(zip.outputStream, createWriteStream(archivePath, { mode: 0o600 }), { signal });
  const added = addTrees(zip, paths, names, signal);
  written.catch(breakOff);
  added.catch(breakOff);
  await Promise.allSettled([written, added]);
  // The first failure is the reason. The other side only stopped because of it.
  signal.throwIfAborted();
}

/** A file name as a zip can hold it: in a zip a backslash separates folders, and a letter with a colon is a drive. */
function nameInArchive(name: string): string {
  return name.replaceAll('\\', '_').replace(/^([a-z]):/i, '$1_');
}

/** Makes equal names different: `a.txt`, `a.txt` become `a.txt`, `a (2).txt`. Case is ignored, because Windows ignores it. */
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

async function addTrees(zip: ZipFile, paths: readonly string[], names: readonly string[], signal: AbortSignal): Promise<void> {
  let entries = 0;
  for (const [index, path] of paths.entries()) {
    for await (const found of tree(path, names[index])) {
      signal.throwIfAborted();
      if (++entries > MAX_ARCHIVE_ENTRIES) throw new RefusedError(`An archive may not hold more than ${MAX_ARCHIVE_ENTRIES} entries.`);
      if (found.isDirectory) zip.addEmptyDirectory(found.nameInArchive, { mtime: found.modified, mode: found.mode });
      else await addFile(zip, found, signal);
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

/** Everything at the path and below it. The path itself may be a link; links below it are left out. */
async function* tree(path: string, name: string): AsyncIterable<Found> {
  const stats = await readable(fileOrDirectoryAt(path));
  if (stats === undefined) return;
  const found = { path, nameInArchive: name, isDirectory: stats.isDirectory(), modified: stats.mtime, mode: stats.mode };
  yield found;
  const folder: Dir | undefined = found.isDirectory ? await readable(opendir(path)) : undefined;
  for await (const entry of folder ?? []) {
    const below = join(path, entry.name);
    const belowStats = await readable(lstatOrUndefined(below));
    if (belowStats?.isFile() === true || belowStats?.isDirectory() === true) yield* tree(below, `${name}/${nameInArchive(entry.name)}`);
  }
}

/**
 * Adds one file and resolves when its contents are in the archive, so that one file is open at a time. Bytes that are appended
 * meanwhile are left out; otherwise a file that grows as fast as it is read would never end.
 */
async function addFile(zip: ZipFile, { path, nameInArchive: name, modified, mode }: Found, signal: AbortSignal): Promise<void> {
  const file: FileHandle | undefined = await readable(openFile(path));
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    const contents = size === 0 ? Readable.from([]) : file.createReadStream({ end: size - 1 });
    zip.addReadStream(addAbortSignal(signal, contents), name, { mtime: modified, mode });
    try {
      await finished(contents);
    } finally {
      await closed(contents);
    }
  } finally {
    await file.close();
  }
}

/** Waits until the stream has closed its file. A broken stream closes it too, but only after the error. */
async function closed(stream: Readable): Promise<void> {
  if (stream.closed) return;
  await new Promise((resolve) => {
    stream.once('close', resolve);
    stream.destroy();
  });
}

/** The result; undefined when the file is gone, unreadable, or not a file. Archives leave such entries out. */
async function readable<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isMissing(error) || isRefusedAccess(error) || error instanceof RefusedError) return undefined;
    throw error;
  }
}
