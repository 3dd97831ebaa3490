import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const SHARED_MEMORY = '/dev/shm';
/** The databases and data folders of a run need a tenth of it. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Where databases and data folders of tests are made: in memory where Linux offers enough of it, because files on a disk cost the tests a
 * third of their processor time; else in the folder for temporary files.
 */
export const scratch = hasRoomInMemory() ? SHARED_MEMORY : tmpdir();

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    // Programs are started there, too.
    return bavail * bsize >= NEEDED_BYTES && !isWithoutPrograms(SHARED_MEMORY);
  } catch {
    return false;
  }
}

/** Whether a file system is mounted so that nothing in it can be executed. */
function isWithoutPrograms(mountPoint: string): boolean {
  return readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .some((line) => line.split(' ')[1] === mountPoint && (line.split(' ')[3] ?? '').split(',').includes('noexec'));
}
