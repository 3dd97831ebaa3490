import { execFile } from 'node:child_process';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { DeviceHost } from './device-host.js';

const run = promisify(execFile);
/** All that the installation and the launcher need of a device. There is no Node.js among it. */
const TOOLS = 'sh tar gzip curl sha256sum cut sed tr uname mktemp mkdir mv cp rm ln id dirname cat readlink sleep'.split(' ');

/** This machine, of which only a few programs can be found. */
export async function hostWithFewTools(folder: string): Promise<DeviceHost> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const tool of TOOLS) {
    const { stdout } = await run('sh', ['-c', `command -v ${tool}`]);
    await symlink(await realpath(stdout.trim()), join(bin, tool));
  }
  return {
    folder,
    environment: { PATH: bin, HOME: folder },
    outside: (path) => path,
    command: ([program = '', ...args]) => [program === 'sh' ? join(bin, 'sh') : program, ...args],
  };
}
