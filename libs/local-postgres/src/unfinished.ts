import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './errors.js';

/** The age at which an unfinished folder counts as abandoned, in milliseconds. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/** Removes folders with this prefix that were left unfinished. Young ones stay: another process may be at work on them. */
export async function removeAbandoned(directory: string, prefix: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (name.startsWith(prefix) && (await ageOf(path)) > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Milliseconds since the folder was last changed. 0 when it is gone, because its process has finished or removed it. */
async function ageOf(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
