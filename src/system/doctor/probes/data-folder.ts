import type { Stats } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';

import { bundleKeyFile } from '../../../devices/agent-updates/bundle-key.js';
import { hasCode } from '../../../platform/common/errors/system-error.js';
import type { DataFolderFacts } from '../checks/data-folder.js';

const OTHERS_READ = 0o004;
const OTHERS_WRITE = 0o002;

/** Reads the state of the data folder. */
export async function dataFolderFacts(path: string): Promise<DataFolderFacts> {
  const folder = await statusOf(path);
  if (folder?.isDirectory() !== true) {
    return { path, exists: false, isWritable: false, isOpen: false, openKeyFile: null, free: 0 };
  }
  const keyFile = bundleKeyFile(path);
  const [key, isWritable, { bavail, bsize }] = await Promise.all([statusOf(keyFile), mayWrite(path), statfs(path)]);
  return {
    path,
    exists: true,
    isWritable,
    isOpen: allows(folder, OTHERS_WRITE),
    openKeyFile: key !== null && allows(key, OTHERS_READ) ? keyFile : null,
    free: bavail * bsize,
  };
}

/** Windows has no such rights: its modes say nothing. */
const allows = ({ mode }: Stats, right: number): boolean => process.platform !== 'win32' && (mode & right) !== 0;

async function statusOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return null;
    throw error;
  }
}

async function mayWrite(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}
