import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { verifyAsync } from '@noble/ed25519';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateDeviceRequestDto } from '#libs/contracts';
import type { RunCommand } from '../commands.js';
import { dataDirectory, defaultDataDirectory, type DataDirectory } from '../data-directory.js';
import { DeviceKey } from '../device-key.js';
import type { Log } from '../logs/log.js';
import {
  install,
  installService,
  removeData,
  removeService,
  stopService,
  undoFolders,
  type Installed,
  type InstallRequest,
  type ServicePlace,
} from '../service/installation.js';
import { serviceName } from '../service/service-managers.js';
import { SYSTEMD, unitText } from '../service/systemd.js';
import { Undo } from '../service/undo.js';
import { closeToOthers, readSettings, SettingsError, writeSettings } from '../settings.js';
import { AGENT_VERSION } from '../version.js';
import { parseCommand, UsageError } from './arguments.js';

const TENANT = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee';
const KEY_ID = '11111111-2222-3333-4444-555555555555';
const DEVICE = '99999999-2222-3333-4444-555555555555';

describe('command line', () => {
  const installing = ['install', '--server', 'https://devices.example.org/some/path', '--tenant', TENANT.toUpperCase()];

  it('understands a full installation', () => {
    const args = ['--key-id', KEY_ID, '--key-secret', 's', '--device-id', DEVICE, '--tags', `${TENANT}, ${KEY_ID}`];
    const rest = ['--instance', 'two', '--data-dir', '/data', '--no-service'];
    expect(parseCommand([...installing, ...args, ...rest], {})).toEqual({
      kind: 'install',
      dataDirectory: '/data',
      installsService: false,
      request: {
        serverUri: 'https://devices.example.org',
        tenantId: TENANT,
        installerKey: { id: KEY_ID, secret: 's' },
        deviceId: DEVICE,
        tagIds: [TENANT, KEY_ID],
        instanceId: 'two',
      },
    });
  });

  it('reads the secret from the environment', () => {
    const command = parseCommand([...installing, '--key-id', KEY_ID], { DEVICE_AGENT_KEY_SECRET: 'hidden' });
    expect(command).toMatchObject({ installsService: true, request: { installerKey: { secret: 'hidden' } } });
  });

  it.each(['http://localhost:8080', 'http://127.0.0.2', 'http://[::1]:8080', 'http://[::ffff:127.0.0.1]', 'http://127.1'])(
    'takes %s, which leaves the machine nowhere',
    (server) => expect(parseCommand(['install', '--server', server, '--tenant', TENANT], {})).toMatchObject({ kind: 'install' }),
  );

  it.each(['http://10.0.0.1', 'http://localhost.example.org', 'http://[fe80::1]', 'http://0.0.0.0', 'http://128.0.0.1'])(
    'takes %s only when told to',
    (server) => {
      const args = ['install', '--server', server, '--tenant', TENANT];
      expect(() => parseCommand(args, {})).toThrow('--allow-http');
      expect(parseCommand([...args, '--allow-http'], {})).toMatchObject({ request: { serverUri: server, allowHttp: true } });
    },
  );

  it('understands the other commands', () => {
    expect(parseCommand(['run', '--data-dir', '/data'], {})).toEqual({ kind: 'run', dataDirectory: '/data' });
    expect(parseCommand(['uninstall', '--instance', 'two'], {})).toEqual({ kind: 'uninstall', instance: 'two' });
    for (const args of [[], ['help'], ['--help'], ['run', '--help']]) expect(parseCommand(args, {})).toEqual({ kind: 'help' });
  });

  it.each([
    [['fly'], 'There is no command "fly".'],
    [['install', '--tenant', TENANT], '--server is missing.'],
    [['install', '--server', 'ftp://x', '--tenant', TENANT], 'The server must be an http or https address'],
    [['install', '--server', 'http://devices.example.org', '--tenant', TENANT], 'is plain http: everybody on the way could read along'],
    [['install', '--server', 'https://x', '--tenant', 'mine'], '--tenant must be a GUID, not "mine".'],
    [[...installing, '--key-id', KEY_ID], '--key-id needs --key-secret, or DEVICE_AGENT_KEY_SECRET'],
    [[...installing, '--key-secret', 'secret'], '--key-secret needs --key-id'],
    [[...installing, '--tags', KEY_ID], '--tags needs --key-id'],
    [[...installing, '--key-id', KEY_ID, '--key-secret', 'secret', '--tags', 'blue'], '--tags must be a GUID'],
    [[...installing, '--instance', '../x'], '--instance may hold'],
    [['run', '--unknown'], "Unknown option '--unknown'"],
    [['run', 'extra'], "Unexpected argument 'extra'"],
  ])('refuses %j', (args, message) => {
    expect(() => parseCommand(args, {})).toThrow(UsageError);
    expect(() => parseCommand(args, {})).toThrow(message);
  });
});

describe('places and names', () => {
  const user = { platform: 'linux', isAdministrator: false, environment: {}, home: '/home/u' } as const;

  it.each([
    [{ ...user, isAdministrator: true }, undefined, '/var/lib/device-agent'],
    [user, 'two', '/home/u/.local/share/device-agent-two'],
    [{ ...user, environment: { XDG_DATA_HOME: '/x' } }, undefined, '/x/device-agent'],
    [{ ...user, platform: 'darwin' as const }, undefined, '/home/u/Library/Application Support/device-agent'],
  ])('%j, instance %s: %s', (surroundings, instance, expected) => {
    expect(defaultDataDirectory(instance, surroundings)).toBe(expected);
  });

  it('version is the package version in four parts', async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8'));
    expect(AGENT_VERSION).toBe(`${version}.0`);
  });

  it('unit starts the agent with its folder, whatever characters the path contains', () => {
    expect([undefined, 'two'].map((instance) => SYSTEMD.nameOf(serviceName(instance)))).toEqual([
      'device-agent.service',
      'device-agent-two.service',
    ]);
    const text = unitText({ name: 'x', command: ['/usr/bin/node', '/opt/agent/main.js'], dataDirectory: '/data/50% "of" $it' });
    expect(text).toContain(String.raw`ExecStart="/usr/bin/node" "/opt/agent/main.js" "run" "--data-dir" "/data/50%% \"of\" $$it"`);
    expect(text).toContain(String.raw`RequiresMountsFor="/data/50%% \"of\" $it"`);
    expect(text).toContain('RestartPreventExitStatus=2\n');
  });

  it('unit confines the service without a file system of its own, and systemd understands it', async () => {
    const text = unitText({ name: 'x', command: ['/bin/sh', 'main.js'], dataDirectory: '/data/50% "of" $it' });
    expect(text).toMatch(/^SystemCallFilter=~/m);
    expect(text).not.toMatch(/^(Protect|Private|ReadOnly|ReadWrite|Inaccessible|NoNewPrivileges|MemoryDeny|RestrictSUID)/m);
    const folder = await mkdtemp(join(tmpdir(), 'unit-'));
    await writeFile(join(folder, 'device-agent.service'), text);
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, 'device-agent.service')], {
      encoding: 'utf8',
    });
    await rm(folder, { recursive: true });
    // Not every machine has systemd.
    if (error === undefined) expect([status, stderr]).toEqual([0, '']);
  });
});

describe('settings', () => {
  let root: string;
  let directory: DataDirectory;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'settings-'));
    directory = dataDirectory(join(root, 'data'));
  });

  afterEach(async () => rm(root, { recursive: true }));

  it.skipIf(process.platform === 'win32')('are on the disk with their name, so that a loss of power leaves the key', async () => {
    await mkdir(directory.root);
    const handle = await open(directory.root);
    const kind = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const synced: unknown[] = [];
    const spy = vi.spyOn(kind, 'sync').mockImplementation(async function (this: FileHandle) {
      synced.push([(await this.stat()).isDirectory(), existsSync(directory.settingsFile)]);
    });
    onTestFinished(() => spy.mockRestore());
    const { privateKey } = await DeviceKey.generate();
    await writeSettings(directory, { serverUri: 'http://s:1', tenantId: TENANT, deviceId: DEVICE, privateKey });
    expect(synced).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('are readable by the owner only, and are read as they were written', async () => {
    await mkdir(directory.root, { mode: 0o755 });
    await writeFile(directory.settingsFile, '{}', { mode: 0o644 });
    const settings = { serverUri: 'http://s:1', tenantId: TENANT, deviceId: DEVICE, privateKey: (await DeviceKey.generate()).privateKey };
    await writeSettings(directory, { ...settings, allowPower: false, allowHttp: true, instanceId: 'two' });
    expect(await readSettings(directory)).toEqual({ ...settings, allowPower: false, allowHttp: true, instanceId: 'two' });
    expect((await stat(directory.settingsFile)).mode & 0o777).toBe(0o600);
    expect((await stat(directory.root)).mode & 0o777).toBe(0o700);
    expect(await readdir(directory.root)).toEqual(['settings.json']);

    expect(await closeToOthers(directory)).toBe(false);
    await chmod(directory.settingsFile, 0o640);
    expect(await closeToOthers(directory)).toBe(true);
    expect((await stat(directory.settingsFile)).mode & 0o777).toBe(0o600);
  });

  it('may be written by an editor that adds a byte order mark and its own line ends', async () => {
    const settings = { serverUri: 'http://s:1', tenantId: TENANT, deviceId: DEVICE, privateKey: (await DeviceKey.generate()).privateKey };
    await mkdir(directory.root);
    await writeFile(directory.settingsFile, `\uFEFF${JSON.stringify(settings, null, 2).replaceAll('\n', '\r\n')}`);
    expect(await readSettings(directory)).toEqual(settings);
  });

  it('may be absent, but not wrong', async () => {
    expect(await readSettings(directory)).toBeUndefined();
    const key = (await DeviceKey.generate()).privateKey;
    const right = { serverUri: 'http://s', tenantId: TENANT, deviceId: DEVICE, privateKey: key };
    await mkdir(directory.root);
    for (const wrong of [
      '{',
      '5',
      {},
      { ...right, tenantId: 'x' },
      { ...right, privateKey: 'AAAA' },
      { ...right, serverUri: 's' },
      { ...right, allowPower: 1 },
      { ...right, allowHttp: 'yes' },
    ]) {
      await writeFile(directory.settingsFile, typeof wrong === 'string' ? wrong : JSON.stringify(wrong));
      await expect(readSettings(directory)).rejects.toThrow(SettingsError);
    }
  });

  it('hold a key whose signatures its public key verifies', async () => {
    const key = await DeviceKey.fromBase64((await DeviceKey.generate()).privateKey);
    const message = Uint8Array.of(1, 2, 3);
    await expect(verifyAsync(await key.sign(message), message, Buffer.from(key.publicKey, 'base64'))).resolves.toBe(true);
  });
});

describe('installing', () => {
  let root: string;
  let directory: DataDirectory;
  let server: Server;
  let status: number;
  let bodies: unknown[];
  let request: InstallRequest;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'install-'));
    directory = dataDirectory(join(root, 'data'));
    status = 200;
    bodies = [];
    server = createServer((incoming, answer) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        bodies.push({ method: incoming.method, url: incoming.url, json: JSON.parse(Buffer.concat(parts).toString()) });
        answer.writeHead(status).end('{}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The server does not listen.');
    request = { serverUri: `http://127.0.0.1:${address.port}`, tenantId: TENANT, installerKey: { id: KEY_ID, secret: 'secret' } };
  });

  /** Installs, and takes back the steps done if that fails. */
  async function installed(asked: InstallRequest, place: DataDirectory, log: Log): Promise<Installed> {
    const undo = new Undo();
    await undoFolders(place, undo);
    try {
      return await install(asked, place, log, undo);
    } catch (error) {
      expect(await undo.run()).toEqual([]);
      throw error;
    }
  }

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    await rm(root, { recursive: true });
  });

  it('registers the device with its inventory and public key', async () => {
    const { deviceId, keyFingerprint } = await installed({ ...request, tagIds: [KEY_ID] }, directory, silent);
    const settings = await readSettings(directory);
    expect(settings).toMatchObject({ deviceId, tenantId: TENANT });
    expect(bodies).toMatchObject([{ method: 'POST', url: '/api/agent/devices', json: { installerKeySecret: 'secret', tagIds: [KEY_ID] } }]);
    const body = CreateDeviceRequestDto.decode(Object(bodies[0]).json, 'json');
    expect(body.device).toMatchObject({ id: deviceId, tenantId: TENANT });
    const { publicKey, fingerprint } = await DeviceKey.fromBase64(settings?.privateKey ?? '');
    expect([body.publicKey, keyFingerprint]).toEqual([publicKey, fingerprint]);
    expect(fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  });

  it('keeps the id of an earlier installation and creates a new key', async () => {
    const { deviceId } = await installed({ ...request, deviceId: DEVICE }, directory, silent);
    const before = await readSettings(directory);
    expect((await installed(request, directory, silent)).deviceId).toBe(deviceId);
    const after = await readSettings(directory);
    expect(after?.privateKey).not.toBe(before?.privateKey);
    await installed({ serverUri: request.serverUri, tenantId: TENANT }, directory, silent);
    expect(await readSettings(directory)).toEqual(after);
    expect(bodies).toHaveLength(2);
  });

  it.each([
    [400, 'installer key is wrong, expired or used up'],
    [403, 'may not register this device'],
    [500, 'status 500'],
  ])('says what a refusal with %i means, and leaves things as they were', async (refusal, message) => {
    await installed({ ...request, deviceId: DEVICE }, directory, silent);
    const before = await readSettings(directory);
    status = refusal;
    await expect(installed(request, directory, silent)).rejects.toThrow(message);
    expect(await readSettings(directory)).toEqual(before);
    const fresh = dataDirectory(join(root, 'fresh/one'));
    await expect(installed(request, fresh, silent)).rejects.toThrow(message);
    expect(await readdir(root)).toEqual(['data']);
  });

  it('sends the secret to no other address than the named one', async () => {
    const other = request.serverUri.replace('127.0.0.1', 'localhost');
    server.once('request', (_, answer) => answer.setHeader('Location', `${other}/api/agent/devices`));
    status = 307;
    await expect(installed(request, directory, silent)).rejects.toThrow(`redirection (307) to ${other}`);
    expect(bodies).toHaveLength(1);
  });

  it('forgets a permission for plain http that is not given again', async () => {
    await installed({ ...request, allowHttp: true }, directory, silent);
    expect(await readSettings(directory)).toMatchObject({ allowHttp: true });
    await installed(request, directory, silent);
    expect(await readSettings(directory)).toMatchObject({ allowHttp: false });
  });

  it('says that the server is not there', async () => {
    await expect(installed({ ...request, serverUri: 'http://127.0.0.1:1' }, directory, silent)).rejects.toThrow('could not be reached');
  });

  it("is undone without touching what is not the agent's", async () => {
    await installed(request, directory, silent);
    await writeFile(join(directory.root, 'mine.txt'), '');
    expect(await removeData(directory, silent)).toBe(true);
    expect(await readdir(directory.root)).toEqual(['mine.txt']);
    expect(await removeData(directory, silent)).toBe(false);
    await rm(join(directory.root, 'mine.txt'));
    await removeData(directory, silent);
    expect(await readdir(root)).toEqual([]);
  });
});

describe('service', () => {
  let folder: string;
  let commands: string[];
  /** The command that fails, by its beginning. */
  let failing: string;
  let place: ServicePlace;
  let unit: string;
  const directory = dataDirectory('/data');
  const name = 'device-agent-two.service';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'units-'));
    commands = [];
    failing = 'none';
    unit = join(folder, 'etc/systemd/system', name);
    const run: RunCommand = async (command) => {
      const text = await readFile(unit, 'utf8').catch(() => 'no unit');
      const words = command.join(' ');
      commands.push(`${words} (${/main\.js|other\.js|no unit/.exec(text)?.[0] ?? '?'})`);
      if (words.startsWith(failing)) throw new Error(`${words} failed`);
      return '';
    };
    const machine = { platform: 'linux', isRoot: true, exists: () => true } as const;
    place = { name: 'device-agent-two', manager: SYSTEMD, machine, run, root: folder };
  });

  afterEach(async () => rm(folder, { recursive: true }));

  it('restarts when it is installed again, and is disabled before its unit is removed', async () => {
    await stopService(place, directory);
    expect(await removeService(place, directory)).toBe(false);
    expect(commands).toEqual([]);

    await expect(installService(['/usr/bin/node', 'main.js'], directory, place, new Undo())).resolves.toBe(name);
    expect(await readFile(unit, 'utf8')).toContain('"main.js" "run" "--data-dir" "/data"');
    await stopService(place, directory);
    expect(await removeService(place, directory)).toBe(true);
    expect(commands).toEqual([
      'systemctl daemon-reload (main.js)',
      `systemctl enable ${name} (main.js)`,
      `systemctl restart ${name} (main.js)`,
      `systemctl stop ${name} (main.js)`,
      `systemctl disable ${name} (main.js)`,
      'systemctl daemon-reload (no unit)',
    ]);
  });

  it('that is new and does not start is removed again', async () => {
    failing = 'systemctl restart';
    const undo = new Undo();
    await expect(installService(['node', 'main.js'], directory, place, undo)).rejects.toThrow('restart');
    expect(await undo.run()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    expect(commands.slice(3)).toEqual([
      `systemctl stop ${name} (main.js)`,
      `systemctl disable ${name} (main.js)`,
      'systemctl daemon-reload (no unit)',
    ]);
  });

  it('that does not start after it was installed again runs as before, after its program came back', async () => {
    await installService(['node', 'main.js'], directory, place, new Undo());
    commands = [];
    failing = 'systemctl restart';
    const undo = new Undo();
    const change = async (): Promise<void> => undo.add('The program', async () => void commands.push('the program is back'));
    await expect(installService(['node', 'other.js'], directory, place, undo, change)).rejects.toThrow('restart');
    failing = 'none';
    expect(await undo.run()).toEqual([]);
    expect(commands.slice(2)).toEqual([
      `systemctl restart ${name} (other.js)`,
      'systemctl daemon-reload (main.js)',
      'the program is back',
      `systemctl restart ${name} (main.js)`,
    ]);
  });

  it('that cannot be cleaned up says so, and the rest is cleaned up', async () => {
    failing = 'systemctl restart';
    const undo = new Undo();
    await expect(installService(['node', 'main.js'], directory, place, undo)).rejects.toThrow('restart');
    failing = 'systemctl disable';
    expect(await undo.run()).toEqual([`The service ${name} could not be disabled: systemctl disable ${name} failed`]);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the program', () => {
  it('reports in one sentence what the system refuses', async () => {
    const args = ['--import', './test/support/processes/run-typescript.mjs', 'agent/src/main.ts'];
    const command = ['install', '--server', 'http://127.0.0.1:1', '--tenant', TENANT, '--data-dir', '/dev/null/agent'];
    const { status, stderr } = spawnSync(process.execPath, [...args, ...command], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(/^ENOTDIR: .*$/);
  });
});

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
