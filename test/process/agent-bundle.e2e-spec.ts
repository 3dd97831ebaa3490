import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { bundlePlatform } from '#libs/contracts';

import { Program } from '../../demo/program.js';
import type { Service } from '../../demo/service.js';
import { Terminal } from '../../demo/terminal.js';
import { eventually } from '../support/eventually.js';
import { enrol } from '../support/reporting-device.js';
import { builtProject, Machine } from '../support/service-process.js';

const run = promisify(execFile);
const PLATFORM = bundlePlatform(process.platform, process.arch);
/** All that the installation and the launcher need of a device. There is no Node.js among it. */
const TOOLS = 'sh tar gzip curl sha256sum cut sed tr uname mktemp mkdir mv cp rm ln id dirname cat readlink sleep'.split(' ');
const TIMEOUT_MS = 300_000;

let machine: Machine;
let service: Service;
let agent: Program | undefined;

beforeEach(async () => {
  machine = await Machine.afterFirstStart();
});

afterEach(async () => {
  await agent?.stop();
  await machine.close();
});

const at = (path: string): string => join(machine.folder, path);
const published = (name: string): string => at(`data/downloads/${PLATFORM}/${name}`);
const current = async (): Promise<string> => (await readlink(at('program/current'))).slice('versions/'.length);
const environment = (): NodeJS.ProcessEnv => ({ PATH: at('bin'), HOME: machine.folder, DEVICE_AGENT_TRIAL_SECONDS: '60' });

function launch(): Program {
  return Program.start('The agent', [at('program/device-agent'), 'run', '--data-dir', at('agent')], { cwd: '/', env: environment() });
}

async function makeTools(): Promise<void> {
  await mkdir(at('bin'));
  for (const tool of TOOLS) {
    const { stdout } = await run('sh', ['-c', `command -v ${tool}`]);
    await symlink(await realpath(stdout.trim()), at(`bin/${tool}`));
  }
}

/** Publishes the bundle after a change of its contents, and returns its hash. */
async function publishChanged(path: string, text: string): Promise<string> {
  await mkdir(published(''), { recursive: true });
  await run('cp', ['-a', at(`program/versions/${await current()}/.`), at('changed')]);
  await writeFile(at(`changed/${path}`), text);
  await run('tar', ['-I', 'gzip -1', '-cf', published('device-agent.tar.gz.new'), '-C', at('changed'), '.']);
  await writeFile(published('device-agent.version'), '0.2.0.0');
  await run('mv', [published('device-agent.tar.gz.new'), published('device-agent.tar.gz')]);
  await run('rm', ['-rf', at('changed')]);
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
  'installs from one command without Node.js, updates, takes a broken update back, refuses a stranger, and uninstalls',
  async () => {
    const project = await builtProject();
    const builder = [join(project, 'dist/agent/bundle/main.js'), '--only', PLATFORM, '--node', process.execPath];
    await run(process.execPath, [...builder, '--output', at('bundles')]);
    await makeTools();
    service = await machine.start({ Service_AgentBundle__Folder: at('bundles') });
    const { tenantId, keyId, keySecret } = await enrol(machine.client(service));

    // The one command that an administrator copies.
    const options = `--server ${service.url} --tenant ${tenantId} --key-id ${keyId} --data-dir ${at('agent')} --prefix ${at('program')} --no-service`;
    const command = `curl -fsSL ${service.url}/downloads/install.sh | sh -s -- ${options}`;
    const env = { ...environment(), DEVICE_AGENT_KEY_SECRET: keySecret };
    const installation = Program.start('The installation', [at('bin/sh'), '-c', command], { cwd: '/', env });
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

    const settings = JSON.parse(await readFile(at('agent/settings.json'), 'utf8')) as object;
    await writeFile(at('agent/settings.json'), JSON.stringify({ ...settings, updateKey: Buffer.alloc(32, 7).toString('base64') }));
    await publishChanged('news.txt', 'From somebody else.');
    agent = launch();
    await logged('installer-logs', 'The server signs updates with the key');
    expect(await current()).toBe(second);

    await run(at('program/device-agent'), ['uninstall', '--data-dir', at('agent')], { env: environment() });
    await agent.untilEnd();
    expect([existsSync(at('agent')), existsSync(at('program'))]).toEqual([false, false]);
    await untilOnline(deviceId, false);
  },
  TIMEOUT_MS,
);
