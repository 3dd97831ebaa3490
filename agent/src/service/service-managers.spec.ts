import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataDirectory } from '../data-directory.js';
import { installService, otherServiceOf, removeService, serviceState, stopService, type ServicePlace } from './installation.js';
import { LAUNCHD } from './launchd.js';
import { OPENRC } from './openrc.js';
import { RUNIT } from './runit.js';
import type { Machine, ServiceManager } from './service-manager.js';
import { managerOf, pathsOf } from './service-managers.js';
import { SYSTEMD } from './systemd.js';
import { Undo } from './undo.js';

const run = promisify(execFile);
const WORDS = ['/opt/an agent/it\'s "$HOME"', 'main.js'] as const;
const ODD_FOLDER = String.raw`/data/50% 'of' "$it" \n <&>`;
const ODD = { name: 'device-agent', command: WORDS, dataDirectory: ODD_FOLDER };

const machineWith = (...paths: string[]): Machine => ({ platform: 'linux', isRoot: true, exists: (path) => paths.includes(path) });
const textOf = (manager: ServiceManager): string => manager.files(ODD)[0].text;

describe('the manager of services', () => {
  it.each<[string, Machine, string | undefined]>([
    ['systemd that runs', machineWith('/run/systemd/system', '/run/openrc/softlevel'), 'systemd'],
    ['OpenRC that runs', machineWith('/run/openrc/softlevel', '/etc/service'), 'OpenRC'],
    ['runit on Void', machineWith('/run/runit', '/var/service'), 'runit'],
    ['runit on Debian', machineWith('/run/runit.stopit', '/etc/service'), 'runit'],
    ['runit that is only installed', machineWith('/etc/service'), undefined],
    ['none', machineWith(), undefined],
    ['macOS', { ...machineWith(), platform: 'darwin' }, 'launchd'],
    ['an account other than root', { ...machineWith('/run/systemd/system'), isRoot: false }, undefined],
    ['Windows', { ...machineWith('/run/systemd/system'), platform: 'win32' }, undefined],
  ])('is found for %s', (_, machine, title) => {
    expect(managerOf(machine)?.title).toBe(title);
  });
});

describe.skipIf(process.platform === 'win32')('the description of a service', () => {
  it('gives OpenRC every word in one piece', async () => {
    const text = textOf(OPENRC);
    const folder = await mkdtemp(join(tmpdir(), 'openrc-'));
    await writeFile(join(folder, 'script'), text);
    // As its scripts do: a shell reads the file, and what is in the variables once more.
    const reader = `. "$0"; eval set -- $command $command_args; printf '%s\\n' "$@"`;
    const { stdout } = await run('sh', ['-c', reader, join(folder, 'script')]);
    await rm(folder, { recursive: true });
    expect(stdout.split('\n').slice(0, -1)).toEqual([...WORDS, 'run', '--data-dir', ODD_FOLDER]);
    expect(text).toMatch(/^#!\/sbin\/openrc-run\n/);
    for (const line of ['supervisor=supervise-daemon', 'respawn_delay=10', 'respawn_max=0', 'umask=0077'])
      expect(text).toContain(`${line}\n`);
  });

  it('gives runit every word in one piece', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'runit-'));
    const program = join(folder, "it's $HOME");
    await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@"\numask\n`, { mode: 0o755 });
    const [script] = RUNIT.files({ ...ODD, command: [program, 'main.js'] });
    await writeFile(join(folder, 'run'), script.text);
    expect((await run('sh', [join(folder, 'run')])).stdout.split('\n')).toEqual(['main.js', 'run', '--data-dir', ODD_FOLDER, '0077', '']);
    await rm(folder, { recursive: true });
  });

  it('gives launchd every word in one piece, and starts the job again only when it failed', () => {
    const text = textOf(LAUNCHD);
    const words = [...text.matchAll(/^ {4}<string>(.*)<\/string>$/gm)].map(([, word = '']) =>
      word.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
    );
    expect(words).toEqual([...WORDS, 'run', '--data-dir', ODD_FOLDER]);
    expect(text).toContain('<key>Label</key>\n  <string>device-agent</string>');
    expect(text).toContain('<key>RunAtLoad</key>\n  <true/>');
    expect(text).toContain('<key>KeepAlive</key>\n  <dict>\n    <key>SuccessfulExit</key>\n    <false/>\n  </dict>');
  });
});

const SV = '/etc/sv/device-agent-two';
const PLIST = '/Library/LaunchDaemons/device-agent-two.plist';
/** Commands for each manager: to start a service, to stop it, and to forget it. */
const COMMANDS: readonly [ServiceManager, Machine, start: string[], stop: string[], forget: string[]][] = [
  [
    SYSTEMD,
    machineWith('/run/systemd/system'),
    ['systemctl daemon-reload', 'systemctl enable device-agent-two.service', 'systemctl restart device-agent-two.service'],
    ['systemctl stop device-agent-two.service'],
    ['systemctl disable device-agent-two.service', 'systemctl daemon-reload'],
  ],
  [
    OPENRC,
    machineWith('/run/openrc/softlevel'),
    ['rc-update add device-agent-two default', 'rc-service device-agent-two restart'],
    ['rc-service device-agent-two stop'],
    ['rc-update del device-agent-two default'],
  ],
  [
    RUNIT,
    machineWith('/run/runit', '/var/service'),
    [`ln -sfn ${SV} /var/service/device-agent-two`, `sv status ${SV}`, `sv -w 30 restart ${SV}`],
    [`sv status ${SV}`, `sv -w 30 stop ${SV}`],
    ['rm -f /var/service/device-agent-two'],
  ],
  [
    LAUNCHD,
    { ...machineWith(), platform: 'darwin' },
    [`launchctl unload ${PLIST}`, `launchctl load -w ${PLIST}`, 'launchctl list device-agent-two'],
    [`launchctl unload ${PLIST}`],
    [],
  ],
];

describe.skipIf(process.platform === 'win32').each(COMMANDS)('a service', (manager, machine, start, stop, forget) => {
  let folder: string;
  let place: ServicePlace;
  const directory = dataDirectory('/data');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'managers-'));
    await mkdir(join(folder, 'bin'));
    for (const name of ['systemctl', 'rc-update', 'rc-service', 'sv', 'ln', 'rm', 'launchctl']) {
      await writeFile(
        join(folder, 'bin', name),
        `#!/bin/sh\necho "${name} $*" >>"${folder}/log"\n[ "$*" != "$(cat "${folder}/failing")" ]\n`,
      );
      await chmod(join(folder, 'bin', name), 0o755);
    }
    await writeFile(join(folder, 'failing'), 'nothing');
    const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
    const recorded: ServicePlace['run'] = async ([file, ...args]) => (await run(file, args, { env })).stdout;
    place = { name: 'device-agent-two', manager, machine, run: recorded, root: join(folder, 'root') };
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function told(): Promise<string[]> {
    const text = await readFile(join(folder, 'log'), 'utf8').catch(() => '');
    await writeFile(join(folder, 'log'), '');
    return text.split('\n').slice(0, -1);
  }
  const files = async (): Promise<string[]> =>
    (await readdir(folder)).includes('root') ? readdir(join(folder, 'root'), { recursive: true }) : [];

  it(`${manager.title}: starts, starts again when it is installed again, and is removed`, async () => {
    await stopService(place, directory);
    expect(await removeService(place, directory)).toBe(false);
    expect(await told()).toEqual([]);
    for (const program of ['/opt/one', '/opt/other']) {
      expect(await installService([program], directory, place, new Undo())).toContain('device-agent-two');
      expect(await told()).toEqual(start);
      const [path = ''] = pathsOf(manager, place.name);
      expect(await readFile(join(folder, 'root', path), 'utf8')).toContain(program);
      expect((await stat(join(folder, 'root', path))).mode & 0o777).toBe(manager.files(ODD)[0].mode);
    }
    await stopService(place, directory);
    expect(await told()).toEqual(stop);
    for (const path of manager.ownPaths(place.name)) await mkdir(join(folder, 'root', path));
    expect(await removeService(place, directory)).toBe(true);
    expect(await told()).toEqual(forget);
    for (const path of await files()) expect(path).not.toContain('device-agent');
  });

  it(`${manager.title}: stays when an agent on another data folder is uninstalled`, async () => {
    await installService(['/opt/one'], directory, place, new Undo());
    await told();
    const before = await files();
    for (const other of ['/data2', '/dat', '/other/data'].map(dataDirectory)) {
      expect(await serviceState(place, other)).toBe('of another agent');
      await stopService(place, other);
      expect(await removeService(place, other)).toBe(false);
    }
    expect(await told()).toEqual([]);
    expect(await files()).toEqual(before);
  });

  it(`${manager.title}: is found by the program that it shares with others`, async () => {
    expect(await otherServiceOf(place, '/opt/one')).toBeUndefined();
    await installService(['/opt/one'], directory, place, new Undo());
    await installService(['/opt/two'], dataDirectory('/data2'), { ...place, name: 'device-agent' }, new Undo());
    expect(await otherServiceOf(place, '/opt/one')).toBeUndefined();
    expect(await otherServiceOf(place, '/opt/two')).toBe(manager.nameOf('device-agent'));
    const third = { ...place, name: 'device-agent-three' };
    expect(await otherServiceOf(third, '/opt/one')).toBe(manager.nameOf('device-agent-two'));
    await removeService(place, directory);
    expect(await otherServiceOf(third, '/opt/one')).toBeUndefined();
  });

  it(`${manager.title}: is known by its data folder, whatever characters the path contains`, async () => {
    const odd = dataDirectory(ODD_FOLDER);
    await installService(['/opt/one'], odd, place, new Undo());
    expect(await serviceState(place, odd)).toBe('of this agent');
  });

  it(`${manager.title}: is removed again when it does not start`, async () => {
    const last = start.at(-1) ?? '';
    await writeFile(join(folder, 'failing'), last.slice(last.indexOf(' ') + 1));
    const undo = new Undo();
    await expect(installService(['/opt/one'], directory, place, undo)).rejects.toThrow('failed');
    expect(await told()).toEqual(start);
    expect(await undo.run()).toEqual([]);
    expect(await told()).toEqual([...stop, ...forget]);
    expect(await files()).toEqual([]);
  });

  it(`${manager.title}: runs as before when it does not start after it was installed again`, async () => {
    await installService(['/opt/one'], directory, place, new Undo());
    await told();
    const last = start.at(-1) ?? '';
    await writeFile(join(folder, 'failing'), last.slice(last.indexOf(' ') + 1));
    const undo = new Undo();
    await expect(installService(['/opt/other'], directory, place, undo)).rejects.toThrow('failed');
    await writeFile(join(folder, 'failing'), 'nothing');
    await told();
    expect(await undo.run()).toEqual([]);
    expect((await told()).at(-1)).toBe(last);
    const [path = ''] = pathsOf(manager, place.name);
    const text = await readFile(join(folder, 'root', path), 'utf8');
    expect([text.includes('/opt/one'), text.includes('/opt/other')]).toEqual([true, false]);
  });
});
