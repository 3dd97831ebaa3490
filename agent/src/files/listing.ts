import { constants, type Dirent, type Stats } from 'node:fs';
import { access, lstat, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileSystemEntryDto, LISTING_CHUNK_ENTRIES, Timestamp } from '#libs/contracts';
import { isMissing, RefusedError } from '../failures.js';

/** Most entries of a listing; a larger directory is refused, not cut. All names must be in memory to be sorted. */
const MAX_ENTRIES = 200_000;
/** A message stays below this many bytes of JSON: the server refuses more than 100,000. */
const MAX_CHUNK_BYTES = 90_000;
/** Entries read at the same time. */
const CONCURRENCY = 16;
/** Most entries that are searched for a subdirectory; a larger directory counts as having one. */
const SUBFOLDER_SEARCH_LIMIT = 2000;

const byName = new Intl.Collator().compare;

/** True when there is a directory at the path that can be opened. */
export async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Lists files first, then directories, each sorted by name. Unreadable entries are left out; a broken link is listed, so that it
 * can be deleted.
 */
export function directoryContents(path: string): AsyncIterable<FileSystemEntryDto> {
  return sortedEntries(path, () => true);
}

/** Directories only, by name. Empty when there is no such directory. */
export function subdirectories(path: string): AsyncIterable<FileSystemEntryDto> {
  return sortedEntries(path, (found) => found.isDirectory);
}

/** Groups entries into messages: at most 100 entries and below the size that the server accepts. */
export async function* inChunks(entries: AsyncIterable<FileSystemEntryDto>): AsyncIterable<FileSystemEntryDto[]> {
  let chunk: FileSystemEntryDto[] = [];
  let bytes = 0;
  for await (const entry of entries) {
    const entryBytes = Buffer.byteLength(JSON.stringify(FileSystemEntryDto.encode(entry, 'json'))) + 1;
    if (chunk.length === LISTING_CHUNK_ENTRIES || (chunk.length > 0 && bytes + entryBytes > MAX_CHUNK_BYTES)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(entry);
    bytes += entryBytes;
  }
  if (chunk.length > 0) yield chunk;
}

/** A directory as the root of a tree, such as a drive. */
export function rootEntry(path: string): FileSystemEntryDto {
  return {
    name: path,
    fullPath: path,
    isDirectory: true,
    size: 0,
    lastModified: localTimestamp(new Date()),
    isHidden: false,
    canRead: true,
    canWrite: true,
    hasSubfolders: true,
  };
}

/** The instant with the offset of this machine's time zone, as listings show it. */
export function localTimestamp(date: Date): Timestamp {
  return Timestamp.fromDate(date, -date.getTimezoneOffset());
}

interface Found {
  readonly name: string;
  readonly isDirectory: boolean;
}

async function* sortedEntries(path: string, wanted: (found: Found) => boolean): AsyncIterable<FileSystemEntryDto> {
  const found = (await namesIn(path)).filter(wanted);
  found.sort((a, b) => Number(a.isDirectory) - Number(b.isDirectory) || byName(a.name, b.name));
  for (let start = 0; start < found.length; start += CONCURRENCY) {
    const batch = found.slice(start, start + CONCURRENCY);
    const entries = await Promise.all(batch.map(async ({ name }) => entryAt(join(path, name), name)));
    yield* entries.filter((entry) => entry !== undefined);
  }
}

async function namesIn(path: string): Promise<Found[]> {
  const found: Found[] = [];
  try {
    for await (const entry of await opendir(path)) {
      if (found.length === MAX_ENTRIES) throw new RefusedError(`The directory has more than ${MAX_ENTRIES} entries.`);
      found.push({ name: entry.name, isDirectory: await leadsToDirectory(path, entry) });
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return found;
}

async function leadsToDirectory(parent: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return (await statOrUndefined(join(parent, entry.name)))?.isDirectory() ?? false;
}

async function entryAt(path: string, name: string): Promise<FileSystemEntryDto | undefined> {
  const stats = (await statOrUndefined(path)) ?? (await lstat(path).catch(() => undefined));
  if (stats === undefined) return undefined;
  const isFolder = stats.isDirectory();
  return {
    name,
    fullPath: path,
    isDirectory: isFolder,
    size: isFolder ? 0 : stats.size,
    lastModified: localTimestamp(stats.mtime),
    isHidden: name.startsWith('.'),
    canRead: await isAccessible(path, constants.R_OK),
    canWrite: await isAccessible(path, constants.W_OK),
    hasSubfolders: isFolder && (await hasSubfolders(path)),
  };
}

async function statOrUndefined(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

async function isAccessible(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

async function hasSubfolders(path: string): Promise<boolean> {
  let looked = 0;
  try {
    for await (const entry of await opendir(path)) {
      if (entry.isDirectory() || ++looked === SUBFOLDER_SEARCH_LIMIT) return true;
    }
  } catch {
    // A directory that cannot be opened counts as having no subdirectories, so that the rest of the listing succeeds.
    return false;
  }
  return false;
}
