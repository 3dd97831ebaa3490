import { readFileSync, statfsSync } from 'node:fs';

const SHARED_MEMORY = '/dev/shm';
/** The databases and data folders of a run need a tenth of it. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Has this process and those that it starts make temporary files in memory, where Linux offers enough of it: databases, data folders and
 * everything else that a test keeps in `tmpdir()`. On a disk they cost the tests a third of their processor time.
 */
export function keepTemporaryFilesInMemory(): void {
  if (hasRoomInMemory()) process.env.TMPDIR = SHARED_MEMORY;
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    // Programs are started there, too.
    return bavail * bsize >= NEEDED_BYTES && !isWithoutPrograms(SHARED_MEMORY);
  } catch {
    return false;
  }
}

/** Returns true if a file system is mounted so that nothing in it can be executed. */
function isWithoutPrograms(mountPoint: string): boolean {
  return readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .some((line) => line.split(' ')[1] === mountPoint && (line.split(' ')[3] ?? '').split(',').includes('noexec'));
}
