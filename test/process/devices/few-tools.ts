import { execFile, spawnSync } from 'node:child_process';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { DeviceHost } from './device-host.js';

const run = promisify(execFile);
/** Command with which this machine gets a file from an address, one that the installer knows; null if it has none. */
export const DOWNLOAD = ['curl -fsSL', 'wget -qO-'].find((command) => hasTool(toolOf(command))) ?? null;
export const WITHOUT_DOWNLOAD = 'the installer needs curl or wget, and this machine has neither';

/** All that the installation and the launcher need of a device. There is no Node.js among it. */
const TOOLS = 'sh tar gzip sha256sum cut sed tr uname mktemp mkdir mv cp rm ln id dirname cat readlink sleep'.split(' ');

/** This machine, of which only a few programs can be found. */
export async function hostWithFewTools(folder: string): Promise<DeviceHost> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  if (DOWNLOAD === null) throw new Error(WITHOUT_DOWNLOAD);
  for (const tool of [...TOOLS, toolOf(DOWNLOAD)]) {
    const { stdout } = await run('sh', ['-c', `command -v ${tool}`]);
    await symlink(await realpath(stdout.trim()), join(bin, tool));
  }
  return {
    folder,
    download: DOWNLOAD,
    environment: { PATH: bin, HOME: folder },
    outside: (path) => path,
    command: ([program = '', ...args]) => [program === 'sh' ? join(bin, 'sh') : program, ...args],
  };
}

function toolOf(command: string): string {
  return command.slice(0, command.indexOf(' '));
}

function hasTool(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}
