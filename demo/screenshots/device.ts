import { mkdir, realpath, utimes, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';

import { Program } from '../program.js';
import { plainEnvironment } from '../service.js';

/** Name that the device gives itself. */
export const HOST_NAME = 'acme-front-desk';
/** Folder of its files, as the device sees it. */
export const FILES = '/srv/reception';

const AGENT = '/opt/device-agent';
const SETTLED = new Date('2026-03-02T07:30:00Z');

/** The files of a front desk, all of one morning. */
export const CONTENTS: Readonly<Record<string, string>> = {
  'backup.log': [
    '07:00:01 backup of /srv/reception begins',
    '07:00:02 214 files, 3 changed since yesterday',
    '07:00:09 sent 48.2 MB to acme-files',
    '07:00:09 verified: every checksum matches',
    '07:00:10 done in 9 s',
    '',
  ].join('\n'),
  'check-in.conf': 'language = en\nidle-minutes = 5\nprinter = front-desk\n',
  'notes.txt': 'The card reader needs its cable pushed in firmly.\n',
  'patients/forms.pdf': `%PDF-1.4\n${' '.repeat(182_000)}`,
  'patients/house-rules.pdf': `%PDF-1.4\n${' '.repeat(64_000)}`,
  'price-list.ods': ' '.repeat(38_400),
  'scans/2026-03-01.zip': ' '.repeat(5_240_000),
  'scans/2026-03-02.zip': ' '.repeat(1_310_000),
  'update.sh': '#!/bin/sh\nexec apt-get --yes upgrade\n',
};

const SHELL_RC = `PS1='\\[\\e[32m\\]root@${HOST_NAME}\\[\\e[0m\\]:\\w# '; cd ${FILES}\n`;

/** A display of this machine that the device has. */
interface DeviceScreen {
  readonly display: string;
  /** Its X server. */
  readonly processId: number;
}

/**
 * A device with a name and a disk of its own: the reference agent in namespaces of this machine, where it finds the system's programs, its
 * own files and nothing else.
 */
export class FrontDesk {
  private constructor(
    private readonly project: string,
    private readonly folder: string,
    private readonly screen: DeviceScreen | null,
  ) {}

  /** Lays out the disk of the device in a folder. `screen` is null for a device without a display. */
  static async prepare(project: string, folder: string, screen: DeviceScreen | null): Promise<FrontDesk> {
    const disk = join(folder, 'disk');
    for (const [name, content] of Object.entries(CONTENTS)) {
      const path = join(disk, FILES, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
      await utimes(path, SETTLED, SETTLED);
    }
    for (const name of ['patients', 'scans', '']) await utimes(join(disk, FILES, name), SETTLED, SETTLED);
    await mkdir(join(disk, 'root'), { recursive: true });
    await writeFile(join(disk, 'root/.bashrc'), SHELL_RC);
    await mkdir(join(folder, 'root'));
    await mkdir(join(folder, 'state'));
    return new FrontDesk(project, folder, screen);
  }

  /** Runs the agent's program on the device. The next one finds its data folder. */
  async agent(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Program> {
    const { project, folder } = this;
    const variables = {
      NEW_ROOT: join(folder, 'root'),
      DISK: join(folder, 'disk'),
      STATE: join(folder, 'state'),
      NODE_FOLDER: dirname(process.execPath),
      DIST: join(project, 'dist'),
      PACKAGES: await realpath(join(project, 'node_modules')),
      MANIFEST: join(project, 'package.json'),
      DISPLAY_NUMBER: this.screen?.display ?? '',
      DISPLAY_SERVER: String(this.screen?.processId ?? ''),
    };
    const command = ['unshare', '--mount', '--uts', '--map-root-user', '--', 'sh', '-euc', ENTER, process.execPath];
    return Program.start('The agent', [...command, `${AGENT}/dist/agent/src/main.js`, ...args], {
      cwd: folder,
      env: { ...plainEnvironment(), ...variables, HOME: '/root', SHELL: '/bin/bash', HISTFILE: '', LANG: 'C.UTF-8', TZ: 'UTC', ...env },
    });
  }

  /** Addresses of this machine, each with the one that the pictures show. */
  static shownAddresses(): readonly (readonly [address: string, shown: string])[] {
    return Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal }) => !internal)
      .map(({ address, family }) => [address, family === 'IPv4' ? '192.168.10.19' : '2001:db8::10:19']);
  }
}

/** Makes a root of the system's programs, the device's disk and the agent, and runs a command in it. */
const ENTER = `
hostname ${HOST_NAME}
# A folder of this machine's disk, so that the device has one drive.
root=$(mktemp -d -p "$NEW_ROOT")
chmod 755 "$root"
mount --bind "$root" "$root"
cd "$root"
cp -a "$DISK/." .
mkdir -p usr etc proc sys dev tmp run var/lib home ".$NODE_FOLDER" .${AGENT}/dist .${AGENT}/node_modules
for folder in bin lib lib64 sbin; do ln -s "usr/$folder" "$folder"; done
for folder in usr etc proc sys dev; do mount --rbind "/$folder" "$folder"; done
if [ ! -e ".$0" ]; then mount --bind "$NODE_FOLDER" ".$NODE_FOLDER"; fi
mount --bind "$STATE" var/lib
mount --bind "$DIST" .${AGENT}/dist
mount --bind "$PACKAGES" .${AGENT}/node_modules
cp "$MANIFEST" .${AGENT}/package.json
if [ -n "$DISPLAY_NUMBER" ]; then
  mkdir tmp/.X11-unix
  touch "tmp/.X11-unix/X$DISPLAY_NUMBER"
  mount --bind "/tmp/.X11-unix/X$DISPLAY_NUMBER" "tmp/.X11-unix/X$DISPLAY_NUMBER"
  # Where the agent finds the server: it may not look into processes outside of its namespace.
  printf '%10d\\n' "$DISPLAY_SERVER" > "tmp/.X$DISPLAY_NUMBER-lock"
fi
exec chroot . "$0" "$@"
`;
