import { constants, type Dirent, type Stats } from 'node:fs';
import { access, lstat, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileSystemEntryDto, LISTING_CHUNK_ENTRIES, Timestamp } from '#libs/contracts';
import { isMissing, RefusedError } from '../failures.js';
import { FIRST_LOOKS, type FirstLooks } from './first-looks.js';

/** Most entries of a listing; a larger directory is refused, not cut. All names must be in memory to be sorted. */
const MAX_ENTRIES = 200_000;
/** A message stays below this many bytes of JSON: the server refuses more than 100,000. */
const MAX_CHUNK_BYTES = 90_000;
/** Entries read at the same time. */
const CONCURRENCY = 16;
/** Most entries that are searched for a subdirectory; a larger directory counts as having one. */
const SUBFOLDER_SEARCH_LIMIT = 2000;

/** Timestamps have the years 1 to 9999. These limits leave room for every time zone. */
const [EARLIEST_MS, LATEST_MS] = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z')];
/** Stands in a name for bytes that are no UTF-8. */
const UNREADABLE = '\u{fffd}';

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
 * can be deleted, and so is a directory whose file system does not answer. A name that is no UTF-8 is listed as it can be shown.
 */
export function directoryContents(path: string, looks: FirstLooks = FIRST_LOOKS): AsyncIterable<FileSystemEntryDto> {
  return sortedEntries(path, looks, () => true);
}

/** Directories only, by name. Empty when there is no such directory. */
export function subdirectories(path: string, looks: FirstLooks = FIRST_LOOKS): AsyncIterable<FileSystemEntryDto> {
  return sortedEntries(path, looks, (found) => found.isDirectory);
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
    lastModified: localTimestamp(Date.now()),
    isHidden: false,
    canRead: true,
    canWrite: true,
    hasSubfolders: true,
  };
}

/** The instant with the offset of this machine's time zone, as listings show it. File systems have times that no timestamp can hold. */
export function localTimestamp(milliseconds: number): Timestamp {
  const date = new Date(Math.max(EARLIEST_MS, Math.min(LATEST_MS, milliseconds)));
  return Timestamp.fromDate(date, -date.getTimezoneOffset());
}

interface Found {
  readonly name: string;
  readonly isDirectory: boolean;
}

async function* sortedEntries(path: string, looks: FirstLooks, wanted: (found: Found) => boolean): AsyncIterable<FileSystemEntryDto> {
  await looks.statusAt(path);
  const found = (await namesIn(path, looks)).filter(wanted);
  found.sort((a, b) => Number(a.isDirectory) - Number(b.isDirectory) || byName(a.name, b.name));
  for (let start = 0; start < found.length; start += CONCURRENCY) {
    const batch = found.slice(start, start + CONCURRENCY);
    const entries = await Promise.all(batch.map(async (each) => entryAt(join(path, each.name), each, looks)));
    yield* entries.filter((entry) => entry !== undefined);
  }
}

async function namesIn(path: string, looks: FirstLooks): Promise<Found[]> {
  const found: Found[] = [];
  try {
    for await (const entry of await opendir(path)) {
      if (found.length === MAX_ENTRIES) throw new RefusedError(`The directory has more than ${MAX_ENTRIES} entries.`);
      found.push({ name: entry.name, isDirectory: await leadsToDirectory(path, entry, looks) });
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return found;
}

async function leadsToDirectory(parent: string, entry: Dirent, looks: FirstLooks): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  const stats = await looks.statusAt(join(parent, entry.name)).catch(() => undefined);
  return stats?.isDirectory() ?? false;
}

async function entryAt(
  path: string,
  { name, isDirectory: isListedFolder }: Found,
  looks: FirstLooks,
): Promise<FileSystemEntryDto | undefined> {
  let stats: Stats | undefined;
  try {
    stats = (await looks.statusAt(path)) ?? (await lstat(path).catch(() => undefined));
  } catch {
    return unansweredEntry(path, name, isListedFolder);
  }
  // Such a name finds nothing. It is listed all the same, so that its directory does not seem empty.
  if (stats === undefined) return name.includes(UNREADABLE) ? unansweredEntry(path, name, isListedFolder) : undefined;
  const isFolder = stats.isDirectory();
  return {
    name,
    fullPath: path,
    isDirectory: isFolder,
    size: isFolder ? 0 : stats.size,
    lastModified: localTimestamp(stats.mtimeMs),
    isHidden: name.startsWith('.'),
    canRead: await isAccessible(path, constants.R_OK),
    canWrite: await isAccessible(path, constants.W_OK),
    hasSubfolders: isFolder && (await hasSubfolders(path)),
  };
}

/** An entry of which only the name is known. */
function unansweredEntry(path: string, name: string, isFolder: boolean): FileSystemEntryDto {
  return {
    name,
    fullPath: path,
    isDirectory: isFolder,
    size: 0,
    lastModified: localTimestamp(0),
    isHidden: name.startsWith('.'),
    canRead: false,
    canWrite: false,
    hasSubfolders: false,
  };
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
