import type { Stats } from 'node:fs';
import { link, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileUploadHubDto } from '#libs/contracts';
import { codeOf, isRefusedAccess, RefusedError } from '../failures.js';
import { lstatOrUndefined } from './file-system.js';
import { FIRST_LOOKS } from './first-looks.js';
import { isDirectory } from './listing.js';
import type { OwnFiles } from './own-files.js';
import { pathInDirectory } from './paths.js';
import type { UnfinishedUploads } from './unfinished-uploads.js';

const PERMISSION_BITS = 0o777;
const EXISTS = 'File already exists.';
/** Error codes of file systems without hard links. */
export const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Parts that decide where uploads may be written, and remember where they are. */
export interface ReceivingPlace {
  readonly own: OwnFiles;
  readonly uploads: UnfinishedUploads;
}

/**
 * Writes the pieces to a new file. They are written under a temporary name in the same directory, which is renamed when all of
 * them are on disk and removed when anything fails, so that the file is never visible half-written.
 */
export async function receiveFile(
  dto: FileUploadHubDto,
  { own, uploads }: ReceivingPlace,
  openChunks: () => AsyncIterable<Uint8Array>,
): Promise<void> {
  const target = pathInDirectory(dto.targetDirectoryPath, dto.fileName);
  await FIRST_LOOKS.entryAt(target);
  if (!(await isDirectory(dirname(target)))) throw new RefusedError('The target directory does not exist.');
  await own.refuseChanging(target);
  const existing = await lstatOrUndefined(target);
  if (existing?.isDirectory() === true) throw new RefusedError('A directory of that name already exists.');
  if (existing !== undefined && !dto.overwrite) throw new RefusedError(EXISTS);
  // Replacing a device or a pipe by a file would break the programs that use it.
  if (existing !== undefined && !existing.isFile() && !existing.isSymbolicLink()) throw new RefusedError('The target is not a file.');

  await uploads.during(dirname(target), async (temporary) => {
    const file = await open(temporary, 'wx');
    await writeAll(file, openChunks, dto.fileSize, existing);
    await (dto.overwrite ? rename(temporary, target) : publishAsNew(temporary, target));
  });
}

/** Gives the new file the mode and owner of the file that it replaces, as far as the agent's account may. */
async function inheritRights(file: FileHandle, replaced: Stats): Promise<void> {
  try {
    const own = await file.stat();
    if (own.uid !== replaced.uid || own.gid !== replaced.gid) await file.chown(replaced.uid, replaced.gid);
    await file.chmod(replaced.mode & PERMISSION_BITS);
  } catch (error) {
    // Only root may change owners. Otherwise the new file belongs to the agent's account, with its default mode.
    if (!isRefusedAccess(error)) throw error;
  }
}

/**
 * Reads the upload. A stream that ends without an error is complete. The announced size is an upper bound: a server that forwards
 * a form knows only the size of the form in advance.
 */
async function writeAll(
  file: FileHandle,
  openChunks: () => AsyncIterable<Uint8Array>,
  announced: number,
  replaced: Stats | undefined,
): Promise<void> {
  try {
    if (replaced?.isFile() === true) await inheritRights(file, replaced);
    let written = 0;
    for await (const chunk of openChunks()) {
      written += chunk.length;
      if (written > announced) break;
      await file.writeFile(chunk);
    }
    if (written > announced) throw new RefusedError(`The upload was announced with ${announced} bytes and has more.`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Renames the file to its final name unless that name is taken by then. */
async function publishAsNew(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    if (!NO_HARD_LINKS.has(codeOf(error) ?? '')) throw error;
    if ((await lstatOrUndefined(target)) !== undefined) throw new RefusedError(EXISTS);
    await rename(temporary, target);
    return;
  }
  await unlink(temporary);
}
