import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip } from 'node:zlib';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { bundlePlatform } from '#libs/contracts';

import { Program } from '../../demo/program.js';
import type { Service } from '../../demo/service.js';
import { Terminal } from '../../demo/terminal.js';
import { enrol } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { builtProject, Machine, portToKeep } from '../support/processes/service-process.js';
import type { DeviceHost } from './devices/device-host.js';
import { canMakeEmptyDebian, emptyDebian, WITHOUT_EMPTY_DEBIAN } from './devices/empty-debian.js';
import { DOWNLOAD, hostWithFewTools, WITHOUT_DOWNLOAD } from './devices/few-tools.js';
import { canManageMachines, ManagedMachine, MANAGERS, WITHOUT_MANAGERS } from './devices/managed-machine.js';

const run = promisify(execFile);
const PLATFORM = bundlePlatform(process.platform, process.arch);
const TIMEOUT_MS = 600_000;

/** Folder of the bundles that the service offers for installation, built once. */
let bundles: string;

beforeAll(async () => {
  const project = await builtProject();
  bundles = await mkdtemp(join(tmpdir(), 'bundles-'));
  const builder = [join(project, 'dist/agent/bundle/main.js'), '--only', PLATFORM, '--node', process.execPath];
  await run(process.execPath, [...builder, '--output', bundles]);
}, TIMEOUT_MS);

afterAll(() => rm(bundles, { recursive: true, force: true }));

const [where, makeHost]: [where: string, make: (folder: string) => Promise<DeviceHost>] = canMakeEmptyDebian
  ? ['an empty Debian', emptyDebian]
  : [`this machine with few programs (no empty Debian: ${WITHOUT_EMPTY_DEBIAN})`, hostWithFewTools];

const isPossible = canMakeEmptyDebian || DOWNLOAD !== null;

describe.skipIf(!isPossible)(`the bundle of agents on ${where}${isPossible ? '' : `: skipped, because ${WITHOUT_DOWNLOAD}`}`, () => {
  let machine: Machine;
  let service: Service;
  let host: DeviceHost;
  let agent: Program | undefined;

  beforeEach(async () => {
    machine = await Machine.afterFirstStart();
  });

  afterEach(async () => {
    await agent?.stop();
    await machine.close();
  });

  /** A path of the device, and where it is for this process. */
  const inside = (path: string): string => join(host.folder, path);
  const at = (path: string): string => host.outside(inside(path));
  const inMachine = (path: string): string => join(machine.folder, path);
  const published = (name: string): string => inMachine(`data/downloads/${PLATFORM}/${name}`);
  const current = async (): Promise<string> => (await readlink(at('program/current'))).slice('versions/'.length);
  const environment = (): NodeJS.ProcessEnv => ({ ...host.environment, DEVICE_AGENT_TRIAL_SECONDS: '60' });

  /** Starts a program of the device. */
  function start(name: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): Program {
    return Program.start(name, host.command(command), { cwd: '/', env: { ...environment(), ...env } });
  }

  function launch(env: NodeJS.ProcessEnv = {}): Program {
    return start('The agent', [inside('program/device-agent'), 'run', '--data-dir', inside('agent')], env);
  }

  /** Publishes the bundle after a change of its contents, and returns its hash. */
  async function publishChanged(path: string, text: string): Promise<string> {
    await mkdir(published(''), { recursive: true });
    await mkdir(dirname(inMachine(`changed/${path}`)), { recursive: true });
    await writeFile(inMachine(`changed/${path}`), text);
    const archive = inMachine('changed.tar');
    await run('tar', ['-cf', archive, `--exclude=./${path}`, '-C', at(`program/versions/${await current()}`), '.']);
    await run('tar', ['-rf', archive, '-C', inMachine('changed'), `./${path}`]);
    // In the format only: to compress Node.js would take most of the processor time of this test.
    const inFormat = createGzip({ level: constants.Z_NO_COMPRESSION });
    await pipeline(createReadStream(archive), inFormat, createWriteStream(published('device-agent.tar.gz.new')));
    await writeFile(published('device-agent.version'), '0.2.0.0');
    await rename(published('device-agent.tar.gz.new'), published('device-agent.tar.gz'));
    for (const made of ['changed', 'changed.tar']) await rm(inMachine(made), { recursive: true });
    const answer = await fetch(`${service.url}/downloads/${PLATFORM}/device-agent.json`);
    return ((await answer.json()) as { sha256: string }).sha256;
  }

  async function untilOnline(deviceId: string, isOnline = true): Promise<void> {
    await eventually(`the device is ${isOnline ? 'online' : 'offline'}`, async () => {
      const device = await machine.client(service).get(`/api/v1/devices/${deviceId}`);
      return device.as<{ isOnline: boolean }>().isOnline === isOnline;
    });
  }

  async function logged(folder: string, text: string): Promise<void> {
    await eventually(`"${text}" is in ${folder}`, async () => {
      const names = existsSync(at(`agent/${folder}`)) ? await readdir(at(`agent/${folder}`)) : [];
      const texts = await Promise.all(names.map((name) => readFile(at(`agent/${folder}/${name}`), 'utf8')));
      return texts.some((lines) => lines.includes(text));
    });
  }

  it(
    'installs from one command without Node.js, updates, takes a broken update back, postpones one whose trial was without the server, refuses updates signed with another key, and uninstalls',
    async () => {
      host = await makeHost(machine.folder);
      const serviceOptions = { Service_AgentBundle__Folder: bundles, Service_Port: String(await portToKeep()) };
      service = await machine.start(serviceOptions);
      const { tenantId, keyId, keySecret } = await enrol(machine.client(service));

      // The one command that an administrator copies, with what this machine has for it.
      const options = `--server ${service.url} --tenant ${tenantId} --key-id ${keyId} --data-dir ${inside('agent')} --prefix ${inside('program')} --no-service`;
      const command = `${host.download} ${service.url}/downloads/install.sh | sh -s -- ${options}`;
      const installation = start('The installation', ['sh', '-c', command], { DEVICE_AGENT_KEY_SECRET: keySecret });
      const [, deviceId = ''] = await installation.untilPrints(/Device (\S+) is installed/);
      expect((await installation.untilEnd()).code).toBe(0);
      expect(installation.output).not.toContain('will not update itself');
      const first = await current();

      agent = launch();
      await untilOnline(deviceId);
      const terminal = await Terminal.open(service.url, machine.account.key, deviceId);
      expect(await terminal.run('echo "$((6 * 7)) here"', /42 here/)).toContain('42 here');
      await terminal.close();
      expect((await agent.stop()).code).toBe(0);

      const second = await publishChanged('news.txt', 'Better than before.');
      expect(second).not.toBe(first);
      agent = launch();
      await logged('logs', `The update ${second} is online`);
      await logged('installer-logs', `The update ${second} is online`);
      await untilOnline(deviceId);
      expect(await readdir(at('program/versions'))).toEqual([second]);
      await agent.stop();

      const broken = await publishChanged('dist/agent/src/main.js', 'process.exit(1);');
      agent = launch();
      await logged('logs', `The update ${broken} did not come online`);
      await logged('logs', 'it did not come online when it was tried');
      await untilOnline(deviceId);
      expect(await current()).toBe(second);
      await agent.stop();

      // As an agent leaves it that has unpacked an update and restarts: then the server goes away.
      const third = await publishChanged('news.txt', 'Better than ever.');
      await service.program.stop();
      await mkdir(at(`program/versions/${third}`));
      await run('tar', ['-xzf', published('device-agent.tar.gz'), '-C', at(`program/versions/${third}`)]);
      await writeFile(at('program/trial'), `${second}\n`);
      await rm(at('program/current'));
      await symlink(`versions/${third}`, at('program/current'));
      agent = launch({ DEVICE_AGENT_TRIAL_SECONDS: '20' });
      await logged('logs', `The update ${third} could not reach the server`);
      expect(await current()).toBe(second);
      service = await machine.start(serviceOptions);
      await untilOnline(deviceId);
      await agent.stop();
      agent = launch();
      await logged('logs', 'the server could not be reached or take reports when it was tried');
      expect(await current()).toBe(second);
      await agent.stop();
      const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
      await utimes(at('program/postponed'), hoursAgo, hoursAgo);
      agent = launch();
      await logged('logs', `The update ${third} is online`);
      expect(existsSync(at('program/postponed'))).toBe(false);
      await agent.stop();

      const settings = JSON.parse(await readFile(at('agent/settings.json'), 'utf8')) as object;
      await writeFile(at('agent/settings.json'), JSON.stringify({ ...settings, updateKey: Buffer.alloc(32, 7).toString('base64') }));
      await publishChanged('news.txt', 'From somebody else.');
      agent = launch();
      await logged('installer-logs', 'The server signs updates with the key');
      expect(await current()).toBe(third);

      const removal = start('The removal', [inside('program/device-agent'), 'uninstall', '--data-dir', inside('agent')]);
      expect((await removal.untilEnd()).code).toBe(0);
      await agent.untilEnd();
      expect([existsSync(at('agent')), existsSync(at('program'))]).toEqual([false, false]);
      await untilOnline(deviceId, false);
    },
    TIMEOUT_MS,
  );
});

describe.skipIf(!canManageMachines || DOWNLOAD === null)('the bundle of agents as a service', () => {
  it(
    `is gone after a first installation that failed, and stays as it was after another one${canManageMachines ? '' : ` (skipped: ${WITHOUT_MANAGERS})`}`,
    async () => {
      const machine = await Machine.afterFirstStart();
      try {
        const managed = await ManagedMachine.make(join(machine.folder, 'managed'), MANAGERS[0]);
        const service = await machine.start({ Service_AgentBundle__Folder: bundles });
        const { tenantId, keyId, keySecret } = await enrol(machine.client(service));
        const at = (path: string): string => join(machine.folder, 'device', path);
        const install = async (secret = keySecret): Promise<string> => {
          const places = `--data-dir ${at('data/agent')} --prefix ${at('opt/agent')}`;
          const command = `${DOWNLOAD} ${service.url}/downloads/install.sh | sh -s -- --server ${service.url} --tenant ${tenantId} --key-id ${keyId} ${places}`;
          const env = { ...managed.environment, HOME: machine.folder, DEVICE_AGENT_KEY_SECRET: secret };
          const program = Program.start('The installation', managed.command(['sh', '-c', command]), { cwd: '/', env });
          const { code } = await program.untilEnd();
          return `${program.output}\n${code}`;
        };

        expect(await install('guessed')).toBe('install.sh: The installer key is unknown, used up or expired. Create another one.\n\n1');
        await managed.fail('*restart*');
        expect(await install()).toMatch(/The server knows the device \S+ already\.[^]*\nsystemctl failed: .*\n[^]*1$/);
        expect([existsSync(at('')), existsSync(managed.etc('systemd/system/device-agent.service'))]).toEqual([false, false]);

        await managed.fail('nothing');
        expect(await install()).toMatch(/Service device-agent\.service runs\.\n\n0$/);
        const everything = async (): Promise<unknown[]> => {
          const versions = await readdir(at('opt/agent/versions'));
          return [
            versions,
            (await readdir(at('opt/agent'))).sort(),
            await readlink(at('opt/agent/current')),
            await readdir(managed.etc('systemd/system')),
          ];
        };
        const before = await everything();
        const changed = join(machine.folder, 'data/downloads', PLATFORM);
        await mkdir(changed, { recursive: true });
        // Another bundle: the same files, and one more.
        await writeFile(join(machine.folder, 'news.txt'), 'New.');
        const tar = join(machine.folder, 'changed.tar');
        await run('tar', ['-cf', tar, '-C', at('opt/agent/current/'), '.']);
        await run('tar', ['-rf', tar, '-C', machine.folder, './news.txt']);
        await pipeline(
          createReadStream(tar),
          createGzip({ level: constants.Z_NO_COMPRESSION }),
          createWriteStream(join(changed, 'device-agent.tar.gz')),
        );
        await writeFile(join(changed, 'device-agent.version'), '0.2.0.0');
        await managed.told();
        await managed.fail('*restart*');
        expect(await install()).toMatch(/1$/);
        expect(await everything()).toEqual(before);
        // Started again after the former program is back in its place.
        expect((await managed.told()).filter((line) => line.includes('restart'))).toHaveLength(2);

        await managed.fail('nothing');
        expect(await install()).toMatch(/0$/);
        expect(await readdir(at('opt/agent/versions'))).toHaveLength(2);
      } finally {
        await machine.close();
      }
    },
    TIMEOUT_MS,
  );
});
