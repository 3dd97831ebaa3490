import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { TestContext } from 'vitest';

const run = promisify(execFile);

/** Runs `use` with a disk of so many MiB, which is a new folder in `folder`. Skips the test where it may not mount one. */
export async function withSmallDisk(
  folder: string,
  mebibytes: number,
  { skip }: Pick<TestContext, 'skip'>,
  use: (disk: string) => Promise<void>,
): Promise<void> {
  const disk = join(folder, 'small');
  await mkdir(disk);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'tmpfs', disk]);
  } catch (error) {
    // Only a refusal is a reason to skip: any other fault of the mount fails the test.
    if (!/permission denied|must be superuser|not permitted/i.test(String(error))) throw error;
    skip('mounting a small disk needs privileges');
  }
  try {
    await use(disk);
  } finally {
    await run('umount', [disk]);
  }
}
