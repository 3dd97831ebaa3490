import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { DeviceHost } from './device-host.js';

const run = promisify(execFile);
const RELEASE = 'bookworm';
/** The installation needs it besides what Debian calls the minimum. */
const PACKAGES = 'curl';

/** Script that runs a command of the place with the file systems of a booted system, out of sight of this machine. */
const ENTER = `
  mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t tmpfs tmpfs "$0/tmp" &&
  exec chroot "$0" "$@"`;

/** True if such a place can be made here: that takes root, `mmdebstrap`, and the right to mount file systems. */
export const canMakeEmptyDebian =
  process.getuid?.() === 0 &&
  spawnSync('mmdebstrap', ['--version']).status === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0;

/** Requirements, for the title of a test that is skipped without them. */
export const WITHOUT_EMPTY_DEBIAN = 'that takes root, the right to mount, and mmdebstrap';

/** A root with nothing but Debian's minimum and curl, made from its packages. */
export async function emptyDebian(folder: string): Promise<DeviceHost> {
  const root = join(folder, 'debian');
  const args = ['--variant=minbase', '--mode=root', '--quiet', `--include=${PACKAGES}`, RELEASE, root];
  // With the lists of packages that other programs of the tests go without.
  await run('mmdebstrap', args, { env: { ...process.env, APT_CONFIG: '' } });
  return {
    folder: '/srv',
    download: 'curl -fsSL',
    environment: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
    outside: (path) => join(root, path),
    command: (command) => ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', ENTER, root, ...command],
  };
}
