import type { Stats } from 'node:fs';
import { link, mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { RenameFileHubDto } from '#libs/contracts';
import { codeOf, RefusedError } from '../failures.js';
import { lstatOrUndefined } from './file-system.js';
import { FIRST_LOOKS } from './first-looks.js';
import type { OwnFiles } from './own-files.js';
import { absolutePath, isRoot, pathInDirectory } from './paths.js';
import { NO_HARD_LINKS } from './receiving.js';

const TAKEN = 'A file or directory of that name already exists.';

/**
 * Gives a file or directory another name in its directory. A link is renamed itself. Never replaces another entry, also not one that
 * appears at the same moment. Throws when the name is taken or unfit.
 */
export async function renameFile({ targetPath, newName }: RenameFileHubDto, own: OwnFiles): Promise<void> {
  const path = absolutePath(targetPath);
  if (isRoot(path)) throw new RefusedError('The root of a file system cannot be renamed.');
  const target = pathInDirectory(dirname(path), newName);
  await FIRST_LOOKS.entryAt(path);
  await FIRST_LOOKS.entryAt(target);
  await own.refuseChanging(path);
  await own.refuseChanging(target);
  const entry = await lstatOrUndefined(path);
  if (entry === undefined) throw new RefusedError('The path does not exist.');
  const taken = await lstatOrUndefined(target);
  if (taken === undefined) return moveTo(path, target, entry);
  // Where letter case makes no difference, the entry itself is found under its new name.
  if (!isSame(entry, taken) || (await readdir(dirname(path))).includes(basename(target))) throw new RefusedError(TAKEN);
  await rename(path, target);
}

async function moveTo(path: string, target: string, entry: Stats): Promise<void> {
  try {
    if (entry.isDirectory()) await moveDirectory(path, target);
    else if (entry.isFile()) await moveFile(path, target, entry);
    else await moveUnlessTaken(path, target);
  } catch (error) {
    throw codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOTEMPTY' ? new RefusedError(TAKEN) : error;
  }
}

/** A rename replaces an empty directory, so the name is taken first: then it can only replace that. Windows replaces none. */
async function moveDirectory(path: string, target: string): Promise<void> {
  if (process.platform === 'win32') return rename(path, target);
  await mkdir(target);
  try {
    await rename(path, target);
  } catch (error) {
    // It stays where something has been put into it since.
    await rmdir(target).catch(() => undefined);
    throw error;
  }
}

/** A rename would replace a file, a second link to it does not. */
async function moveFile(path: string, target: string, entry: Stats): Promise<void> {
  try {
    await link(path, target);
  } catch (error) {
    if (!NO_HARD_LINKS.has(codeOf(error) ?? '')) throw error;
    return moveUnlessTaken(path, target);
  }
  // A program that saved the file just now has replaced it: its new contents stay under the old name.
  const now = await lstatOrUndefined(path);
  if (now === undefined || !isSame(now, entry)) return;
  try {
    await unlink(path);
  } catch (error) {
    await unlink(target);
    throw error;
  }
}

/** For what has no second link. The name is looked at as late as possible. */
async function moveUnlessTaken(path: string, target: string): Promise<void> {
  if ((await lstatOrUndefined(target)) !== undefined) throw new RefusedError(TAKEN);
  await rename(path, target);
}

const isSame = (one: Stats, other: Stats): boolean => one.dev === other.dev && one.ino === other.ino;
