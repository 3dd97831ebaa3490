import { constants, type PathLike } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

import { RefusedError } from '../failures.js';

/** Windows has no such flags. */
const WITHOUT_WAITING = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;
const WITHOUT_LINK = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;

/** Ways to open a file. */
export interface OpenOptions {
  /** False if a symbolic link at the path is refused with the error ELOOP. Links before the last part of the path are followed. */
  readonly followsLink?: boolean;
}

/**
 * Opens a file for reading; throws RefusedError when the path is not a file. It opens without blocking: opening a pipe would
 * otherwise block one of the few threads until another process writes to it.
 */
export async function openFile(path: PathLike, { followsLink = true }: OpenOptions = {}): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | WITHOUT_WAITING | (followsLink ? 0 : WITHOUT_LINK));
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new RefusedError('The path is not a file.');
}
