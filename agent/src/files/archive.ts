import { isUtf8 } from 'node:buffer';
import { createWriteStream, type Dirent, type Stats } from 'node:fs';
import { realpath, statfs, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { codeOf, isMissing, isRefusedAccess, RefusedError } from '../failures.js';
import { fileOrDirectoryAt, lstatOrUndefined, openFolder, pathBelow, requireReadable } from './file-system.js';
import { FIRST_LOOKS } from './first-looks.js';
import type { OwnFiles } from './own-files.js';
import { fileContents } from './reading.js';

/** Most entries of an archive: its directory is kept in memory until it is written at the end. */
const MAX_ARCHIVE_ENTRIES = 100_000;

/** Room that archives leave on the disk of the device: this share of it, at most so many bytes. */
const RESERVED_SHARE = 0.05;
const RESERVED_BYTES = 1024 ** 3;
/** The room is looked at each time that so many bytes have been written, so that small archives work on a full disk. */
const LOOK_BYTES = 16 * 1024 * 1024;
/** The latest time that a zip can hold. */
const LATEST_MS = (2 ** 31 - 1) * 1000;

/**
 * Writes a zip of files and directories to `archivePath`. Symbolic links inside directories, unreadable files, the agent's own files and
 * files that vanish while it is written are left out; equal names get ` (2)`, ` (3)`. Throws when one of the paths is missing or may not
 * be read, and when the disk gets full: other programs of the device need room, too. All files are closed when the promise settles.
 * `reserved` is for tests: the bytes that must stay free.
 */
export async function writeArchive(archivePath: string, paths: readonly string[], own: OwnFiles, reserved?: number): Promise<void> {
  const sources: string[] = [];
  for (const path of paths) {
    await FIRST_LOOKS.statusAt(path);
    await fileOrDirectoryAt(path);
    await requireReadable(path);
    await own.refuseReading(path);
    sources.push(await realpath(path));
  }
  const names = uniqueNames(paths.map((path) => nameInArchive(basename(path)) || 'root'));
  const zip = new ZipFile();
  const broken = new AbortController();
  const breakOff = (error: unknown): void => broken.abort(error);
  zip.on('error', breakOff);
  const { signal } = broken;
  const room = async (): Promise<void> => requireRoom(dirname(archivePath), reserved);
  const written = pipeline(zip.outputStream, looking(room), createWriteStream(archivePath, { mode: 0o600 }), { signal });
  const added = addTrees({ zip, own, temporaryFolder: dirname(archivePath), signal }, sources, names);
  written.catch(breakOff);
  added.catch(breakOff);
  await Promise.allSettled([written, added]);
  // The first failure is the reason. The other side only stopped because of it.
  signal.throwIfAborted();
}

/** Passes bytes on, and calls `look` before the next ones each time that so many have passed. */
function looking(look: () => Promise<void>): (source: AsyncIterable<Uint8Array | string>) => AsyncGenerator<Uint8Array | string> {
  return async function* (source) {
    let bytes = 0;
    for await (const piece of source) {
      bytes += piece.length;
      if (bytes > LOOK_BYTES) {
        bytes = 0;
        await look();
      }
      yield piece;
    }
  };
}

/** Throws RefusedError when too little room is left on the disk of the folder. */
async function requireRoom(folder: string, reserved: number | undefined): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const required = reserved ?? Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_SHARE);
  if (bavail * bsize < required) throw new RefusedError('The archive does not fit on the disk of the device.');
}

/** A file name as a zip can hold it: in a zip a backslash separates folders, and a letter with a colon is a drive. */
function nameInArchive(name: string): string {
  return name.replaceAll('\\', '_').replace(/^([a-z]):/i, '$1_');
}

/** The text of a name. One that is no UTF-8 is mostly of a time when names were Latin-1. */
function textOf(name: Buffer): string {
  return name.toString(isUtf8(name) ? 'utf8' : 'latin1');
}

/** A time as a zip can hold it, in seconds since 1970 in 31 bits. The library fails at others, outside of any call. */
function timeInArchive(milliseconds: number): Date {
  return new Date(Math.max(0, Math.min(LATEST_MS, milliseconds)));
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

/** An archive that is being written. */
interface Writing {
  readonly zip: ZipFile;
  readonly own: OwnFiles;
  readonly temporaryFolder: string;
  readonly signal: AbortSignal;
}

async function addTrees(writing: Writing, paths: readonly string[], names: readonly string[]): Promise<void> {
  const { zip, own, signal } = writing;
  let entries = 0;
  for (const [index, path] of paths.entries()) {
    for await (const found of tree(Buffer.from(path), names[index], own)) {
      signal.throwIfAborted();
      if (++entries > MAX_ARCHIVE_ENTRIES) throw new RefusedError(`An archive may not hold more than ${MAX_ARCHIVE_ENTRIES} entries.`);
      if (found.isDirectory) zip.addEmptyDirectory(found.nameInArchive, { mtime: found.modified, mode: found.mode });
      else await addFile(writing, found);
    }
  }
  zip.end();
}

interface Found {
  readonly path: Buffer;
  readonly nameInArchive: string;
  readonly isDirectory: boolean;
  readonly modified: Date;
  readonly mode: number;
}

/** Everything at the path and below it, without links and the agent's own files. */
async function* tree(path: Buffer, name: string, own: OwnFiles): AsyncIterable<Found> {
  const stats = await readable(fileOrDirectoryAt(path));
  if (stats === undefined || (await own.isOwn(path, stats))) return;
  const found = {
    path,
    nameInArchive: name,
    isDirectory: stats.isDirectory(),
    modified: timeInArchive(stats.mtimeMs),
    mode: stats.mode,
  };
  yield found;
  if (!found.isDirectory) return;
  for await (const entry of entriesOf(path)) {
    const entryName = Buffer.from(entry.name);
    const below = pathBelow(path, entryName);
    const belowStats = await readable(statusOf(below));
    if (belowStats?.isFile() === true || belowStats?.isDirectory() === true)
      yield* tree(below, `${name}/${nameInArchive(textOf(entryName))}`, own);
  }
}

/** The entries of a folder. They end early if the folder vanishes, as that of a process in /proc does. */
async function* entriesOf(path: Buffer): AsyncIterable<Dirent> {
  const folder = await readable(openFolder(path));
  if (folder === undefined) return;
  try {
    yield* folder;
  } catch (error) {
    if ((await lstatOrUndefined(path)) !== undefined) throw error;
  }
}

/** The status of an entry, links not followed. Throws RefusedError when its file system does not answer. */
async function statusOf(path: Buffer): Promise<Stats | undefined> {
  await FIRST_LOOKS.statusAt(path);
  return lstatOrUndefined(path);
}

/**
 * Adds one file and resolves when its contents are in the archive, so that one file is open at a time. Bytes that are appended
 * during that time are left out; otherwise a file that grows as fast as it is read would never end.
 */
async function addFile(
  { zip, own, temporaryFolder, signal }: Writing,
  { path, nameInArchive: name, modified, mode }: Found,
): Promise<void> {
  const file: FileHandle | undefined = await readable(own.open(path, { followsLink: false }));
  const contents = file === undefined ? undefined : await readable(fileContents(file, temporaryFolder));
  if (contents === undefined) return;
  try {
    const stream = contents.stream();
    zip.addReadStream(addAbortSignal(signal, stream), name, { mtime: modified, mode });
    try {
      await finished(stream);
    } finally {
      await closed(stream);
    }
  } finally {
    await contents.close();
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

/** True if a symbolic link was not followed. */
const isLink = (error: unknown): boolean => codeOf(error) === 'ELOOP';

/** The result; undefined when the file is gone, unreadable, or not a file. Archives leave such entries out. */
async function readable<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isMissing(error) || isRefusedAccess(error) || isLink(error) || error instanceof RefusedError) return undefined;
    throw error;
  }
}
