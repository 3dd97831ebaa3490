import { constants, type Dir, type PathLike, type Stats } from 'node:fs';
import { access, lstat, mkdir, opendir, rmdir, stat, unlink } from 'node:fs/promises';
import { sep } from 'node:path';
import type {
  CreateDirectoryHubDto,
  FileDeleteHubDto,
  GetPathSegmentsHubDto,
  PathSegmentsResponseDto,
  ValidateFilePathHubDto,
  ValidateFilePathResponseDto,
} from '#libs/contracts';
import { codeOf, isMissing, reasonOf, RefusedError } from '../failures.js';
import { FIRST_LOOKS } from './first-looks.js';
import { isDirectory } from './listing.js';
import type { OwnFiles } from './own-files.js';
import { absolutePath, isRoot, pathInDirectory, pathSegments } from './paths.js';

const SEPARATOR = Buffer.from(sep);
const NOT_EMPTY: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST']);
const DELETE_ATTEMPTS = 3;

/** Makes one new directory. Throws when the parent is missing or the name is taken or unfit. */
export async function createDirectory(dto: CreateDirectoryHubDto, own: OwnFiles): Promise<void> {
  const path = pathInDirectory(dto.parentPath, dto.directoryName);
  await FIRST_LOOKS.entryAt(path);
  await own.refuseChanging(path);
  if ((await lstatOrUndefined(path)) !== undefined) throw new RefusedError('A file or directory of that name already exists.');
  await mkdir(path);
}

/** Deletes a file or a whole tree. Symbolic links are deleted, never followed. */
export async function deletePath(dto: FileDeleteHubDto, own: OwnFiles): Promise<void> {
  const path = absolutePath(dto.targetPath);
  if (isRoot(path)) throw new RefusedError('The root of a file system cannot be deleted.');
  await FIRST_LOOKS.entryAt(path);
  await own.refuseChanging(path);
  if ((await lstat(path)).isDirectory()) await deleteTree(Buffer.from(path));
  else await unlink(path);
}

/**
 * Deletes a directory and all that is below it, one entry after the other: all at once, those of a large one would fill the memory and hold
 * up everything else.
 */
async function deleteTree(folder: Buffer, attempt = 1): Promise<void> {
  for await (const entry of await openFolder(folder)) {
    const path = pathBelow(folder, Buffer.from(entry.name));
    try {
      await (entry.isDirectory() ? deleteTree(path) : unlink(path));
    } catch (error) {
      // Another program may delete it, too.
      if (!isMissing(error)) throw error;
    }
  }
  try {
    await rmdir(folder);
  } catch (error) {
    // Some file systems leave entries out while others are deleted, and programs add some.
    if (!NOT_EMPTY.has(codeOf(error) ?? '') || attempt === DELETE_ATTEMPTS) throw error;
    await deleteTree(folder, attempt + 1);
  }
}

/** Opens a folder to read its entries. Their names are bytes, which need not be UTF-8; the types do not know that they can be. */
export async function openFolder(folder: Buffer): Promise<Dir> {
  return opendir(folder, { encoding: 'buffer' as BufferEncoding });
}

/** The path of an entry of a folder. */
export function pathBelow(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat(folder.at(-1) === SEPARATOR[0] ? [folder, name] : [folder, SEPARATOR, name]);
}

/** Returns the parts of a path, and checks that it leads to a directory. */
export async function describePath(dto: GetPathSegmentsHubDto): Promise<PathSegmentsResponseDto> {
  try {
    const path = absolutePath(dto.targetPath);
    await FIRST_LOOKS.statusAt(path);
    return {
      success: true,
      errorMessage: null,
      pathExists: await isDirectory(path),
      pathSegments: pathSegments(path),
      pathSeparator: sep,
    };
  } catch (error) {
    return { success: false, errorMessage: reasonOf(error), pathExists: false, pathSegments: [], pathSeparator: sep };
  }
}

/** Checks that a new file of that name could be made in the directory. A name that is taken counts as invalid. */
export async function validateFilePath(dto: ValidateFilePathHubDto, own: OwnFiles): Promise<ValidateFilePathResponseDto> {
  try {
    const path = pathInDirectory(dto.directoryPath, dto.fileName);
    const directory = absolutePath(dto.directoryPath);
    await FIRST_LOOKS.entryAt(path);
    if (!(await isDirectory(directory))) throw new RefusedError('The directory does not exist.');
    await own.refuseChanging(path);
    await access(directory, constants.W_OK);
    const existing = await lstatOrUndefined(path);
    if (existing !== undefined) throw new RefusedError(`A ${existing.isDirectory() ? 'directory' : 'file'} of that name already exists.`);
    return { isValid: true, errorMessage: '' };
  } catch (error) {
    return { isValid: false, errorMessage: reasonOf(error) };
  }
}

/** Returns the status of the entry at the path, links not followed; undefined if there is none. */
export async function lstatOrUndefined(path: PathLike): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the status of the entry at the path, links followed. Throws RefusedError if it is neither file nor directory. */
export async function fileOrDirectoryAt(path: PathLike): Promise<Stats> {
  const stats = await stat(path);
  // Reading a pipe or a device might never end, or do harm.
  if (!stats.isFile() && !stats.isDirectory()) throw new RefusedError('The path is neither a file nor a directory.');
  return stats;
}

/** Throws the system's error when the agent's account may not read the path. */
export async function requireReadable(path: string): Promise<void> {
  await access(path, constants.R_OK);
}
