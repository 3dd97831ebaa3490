import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { noXServer } from '../../../agent/src/desktop/x-server.fixture.js';
import { eventually } from '../../support/eventually.js';
import type { DesktopViewer } from './desktop-viewer.js';
import { RemoteControl } from './remote-control.js';
import { ended } from './screen.js';

const LOCKED = "The screen is locked. You see the lock screen; the user's password is needed.";
/** The account without rights that every Linux has. XScreenSaver does not lock the screen of root. */
const NOBODY = 65_534;
const ACCOUNT = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const suite = noXServer === undefined ? describe : describe.skip;
const lacks = (program: string): boolean => spawnSync('which', [program]).status !== 0;
const noI3Lock = lacks('i3lock') ? ' (skipped: needs i3lock)' : '';
const noSaver = lacks('xscreensaver') ? ' (skipped: needs xscreensaver)' : '';

suite(`a locked screen${noXServer === undefined ? '' : ` (skipped: ${noXServer})`}`, () => {
  let control: RemoteControl;

  beforeAll(async () => {
    control = await RemoteControl.start();
  });

  beforeEach(async () => {
    await control.begin();
    await control.desktop('640x480');
  });

  afterEach(async () => control.end());

  afterAll(async () => {
    await control?.stop();
  });

  function told(client: DesktopViewer): readonly string[] {
    return client.of('ToastNotification').map(({ value }) => value.message);
  }

  function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, account = {}): ChildProcess {
    const child = spawn(program, args, {
      ...account,
      env: { PATH: process.env['PATH'], DISPLAY: control.x.name, ...env },
      stdio: 'ignore',
    });
    control.programs.push(child);
    return child;
  }

  /** Starts XScreenSaver, and returns a function that gives it commands. */
  async function saver(settings: string): Promise<{ readonly daemon: ChildProcess; command(this: void, name: string): Promise<void> }> {
    const home = join(control.folder, 'home');
    await chmod(control.folder, 0o755);
    await mkdir(home);
    await writeFile(join(home, '.xscreensaver'), `timeout: 1:00:00\nmode: blank\nsplash: False\nfade: False\n${settings}\n`);
    if (ACCOUNT.uid !== undefined) for (const path of [home, join(home, '.xscreensaver')]) await chown(path, NOBODY, NOBODY);
    const daemon = run('xscreensaver', ['--no-splash'], { HOME: home }, ACCOUNT);
    const obeys = (name: string): boolean =>
      spawnSync('xscreensaver-command', [name], {
        ...ACCOUNT,
        env: { PATH: process.env['PATH'], HOME: home, DISPLAY: control.x.name },
        timeout: 10_000,
      }).status === 0;
    return { daemon, command: async (name) => eventually('the screen saver obeys', () => obeys(name)) };
  }

  it.skipIf(noI3Lock !== '')(`is told to viewers that see it, and to those that come: i3lock${noI3Lock}`, async () => {
    const { client } = await control.open();
    expect(told(client)).toEqual([]);
    const locker = run('i3lock', ['--nofork', '--color', '203040']);
    await eventually('the viewer is told', () => told(client).length > 0);
    const { client: later } = await control.open();
    await eventually('the viewer that comes is told', () => told(later).length > 0);
    // It is shown as it is.
    await eventually('the lock screen is seen', () => later.pixel(5, 5).join() === [0x20, 0x30, 0x40].join());
    await ended(locker);
    await eventually('the desktop is seen', () => later.pixel(5, 5).join() !== [0x20, 0x30, 0x40].join());
    run('i3lock', ['--nofork', '--color', '203040']);
    await eventually('both are told of the second lock', () => told(client).length > 1 && told(later).length > 1);
    expect([told(client), told(later)]).toEqual([
      [LOCKED, LOCKED],
      [LOCKED, LOCKED],
    ]);
  });

  it.skipIf(noSaver !== '')(`is told when XScreenSaver asks for a password, and not when it only blanks the screen${noSaver}`, async () => {
    await control.x.paint('#3366cc');
    const blank = await saver('lock: True\nlockTimeout: 1:00:00');
    const { client } = await control.open();
    await blank.command('-activate');
    await eventually('the screen is blank', () => client.pixel(320, 240).join() === '0,0,0');
    await eventually('the figures have come', () => client.of('CaptureMetricsChanged').length > 1);
    expect(told(client)).toEqual([]);
    await blank.command('-lock');
    await eventually('the viewer is told', () => told(client).length > 0);
    const { client: later } = await control.open();
    await eventually('the viewer that comes is told', () => told(later).length > 0);
    // A screen saver that was killed leaves its property behind, but no window.
    await ended(blank.daemon);
    await eventually('the desktop is seen', () => later.pixel(320, 240).join() === [0x33, 0x66, 0xcc].join());
    const { client: last } = await control.open();
    await eventually('the figures have come', () => last.of('CaptureMetricsChanged').length > 0);
    expect([told(client), told(later), told(last)]).toEqual([[LOCKED], [LOCKED], []]);
  });
});
