import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import x11, { type XDisplay } from 'x11';

import { CHROMIUM_PATH } from '../chromium.js';
import { Program } from '../program.js';
import { CONTENTS, HOST_NAME } from './device.js';
import {
  APPOINTMENTS,
  EDITOR_SETTINGS,
  GTK_SETTINGS,
  HANDOVER,
  PANEL,
  SHELL_RC,
  WINDOWS_CONFIG,
  WINDOWS_THEME,
} from './workplace-files.js';

/** The programs of the desktop, each with its Debian package. */
const NEEDED: Readonly<Record<string, string>> = {
  Xvfb: 'xvfb',
  openbox: 'openbox',
  tint2: 'tint2',
  hsetroot: 'hsetroot',
  l3afpad: 'l3afpad',
  xterm: 'xterm',
};
const SIZE = '1920x1080';
const WALLPAPER = ['-add', '#1c3f54', '-add', '#2f6f7a', '-add', '#8fb7a8', '-gradient', '155'];
const TERMINAL_LOOKS = ['-fa', 'DejaVu Sans Mono', '-fs', '14', '-bg', '#1e2430', '-fg', '#e4e8ee', '-b', '10', '+sb', '-cr', '#8fb7a8'];
const DEADLINE_MS = 60_000;
const CHECK_MS = 100;

const isHere = (program: string): boolean => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
const missing = Object.entries(NEEDED).filter(([program]) => !isHere(program));

/** True if this machine can show a desktop. */
export const canShowDesktops = missing.length === 0;
export const WITHOUT_DESKTOP =
  `There is no ${missing.map(([program]) => program).join(', ')}, so the pictures of a desktop stay as they were: ` +
  `apt-get install ${missing.map(([, debianPackage]) => debianPackage).join(' ')}.`;

/** The desktop of the front desk. */
export interface Workplace {
  /** The number of its display. */
  readonly display: string;
  /** The process that names the desktop to the service. */
  readonly processId: number;
  stop(this: void): Promise<void>;
}

/** Starts an X server on a free display, and on it a window manager, a panel, the appointments of the day, an editor and a terminal. */
export async function startWorkplace(folder: string): Promise<Workplace> {
  const home = join(folder, 'workplace');
  await write(home);
  const server = Program.start('Xvfb', ['Xvfb', '-displayfd', '1', '-screen', '0', `${SIZE}x24`, '-nolisten', 'tcp', '-noreset'], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
  });
  const [, display = ''] = await server.untilPrints(/^(\d+)\n/m);
  const env = { PATH: process.env.PATH, HOME: home, DISPLAY: `:${display}`, LANG: 'C.UTF-8', TZ: 'UTC', HISTFILE: '', NO_AT_BRIDGE: '1' };
  const programs: Program[] = [];
  const start = (name: string, command: readonly string[]): Program => {
    const program = Program.start(name, command, { cwd: home, env, inOwnGroup: true });
    programs.push(program);
    return program;
  };
  const stop = async (): Promise<void> => {
    for (const program of programs.toReversed()) await program.kill();
    await server.stop();
  };
  try {
    await start('The wallpaper', ['hsetroot', ...WALLPAPER]).untilEnd();
    // It does not show windows that appear while it starts, until something else happens on the display.
    const windows = ['openbox', '--sm-disable', '--config-file', 'windows.xml', '--startup', 'echo ready'];
    await start('The window manager', windows).untilPrints(/ready/);
    start('The panel', ['tint2', '-c', 'panel.conf']);
    await untilShown(display, 1);
    start('The appointments', [
      CHROMIUM_PATH,
      `--app=file://${join(home, 'appointments.html')}`,
      `--user-data-dir=${join(home, 'profile')}`,
      '--window-position=56,80',
      '--window-size=1080,890',
      '--no-first-run',
      '--no-sandbox',
      '--test-type',
      '--disable-gpu',
      '--disable-sync',
    ]);
    await untilShown(display, 2);
    start('The editor', ['l3afpad', 'handover.txt']);
    await untilShown(display, 3);
    start('The terminal', [
      'xterm',
      ...TERMINAL_LOOKS,
      '-T',
      'Terminal',
      '-geometry',
      '66x14-60-100',
      '-e',
      'bash',
      '--noprofile',
      '--rcfile',
      'rc',
      '-i',
    ]);
    await untilShown(display, 4);
  } catch (error) {
    await stop();
    throw error;
  }
  return { display, processId: server.pid, stop };
}

async function write(home: string): Promise<void> {
  const files: Readonly<Record<string, string>> = {
    'backup.log': CONTENTS['backup.log'] ?? '',
    'check-in.conf': CONTENTS['check-in.conf'] ?? '',
    'handover.txt': HANDOVER,
    'appointments.html': APPOINTMENTS,
    'panel.conf': PANEL,
    'windows.xml': WINDOWS_CONFIG,
    rc: SHELL_RC.replaceAll('HOST', HOST_NAME),
    '.themes/Workplace/openbox-3/themerc': WINDOWS_THEME,
    '.config/gtk-3.0/settings.ini': GTK_SETTINGS,
    '.config/l3afpad/l3afpadrc': EDITOR_SETTINGS,
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), content);
  }
}

/** Waits until the window manager shows so many windows of programs, the panel included. */
async function untilShown(display: string, count: number): Promise<void> {
  const { client, screen } = await new Promise<XDisplay>((resolve, reject) => {
    x11.createClient({ display: `:${display}`, disableBigRequests: true }, (error, connected) => {
      if (error == null) resolve(connected);
      else reject(error);
    });
  });
  const ask = async <T>(request: (reply: (error: Error | null | undefined, value: T) => boolean) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      request((error, value) => {
        if (error == null) resolve(value);
        else reject(error);
        return true;
      });
    });
  try {
    const name = await ask<number>((reply) => client.InternAtom(false, '_NET_CLIENT_LIST', reply));
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const { data } = await ask<{ readonly data: Buffer }>((reply) => client.GetProperty(0, screen[0].root, name, 0, 0, 1_000, reply));
      if (data.length / 4 >= count) return;
      if (Date.now() > deadline) throw new Error(`The desktop shows ${data.length / 4} of ${count} windows.`);
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
    }
  } finally {
    client.terminate();
  }
}
