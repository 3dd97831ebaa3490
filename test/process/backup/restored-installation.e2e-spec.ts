import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { bundlePlatform } from '#libs/contracts';

import { Program } from '../../../demo/program.js';
import type { Service } from '../../../demo/service.js';
import { formatKey } from '../../../src/platform/common/identifiers/secret.js';
import { ApiClient } from '../../support/application/api-client.js';
import { Browser, PASSWORD } from '../../support/callers/browser.js';
import { enrol } from '../../support/devices/reporting-device.js';
import { eventually } from '../../support/eventually.js';
import { builtProject, Machine, portToKeep } from '../../support/processes/service-process.js';
import { DOWNLOAD, hostWithFewTools, WITHOUT_DOWNLOAD } from '../devices/few-tools.js';
import { run } from './backups.js';

const execute = promisify(execFile);
const PLATFORM = bundlePlatform(process.platform, process.arch);
const TIMEOUT_MS = 600_000;
const EMAIL = 'admin@example.org';
const TOKEN = { id: randomUUID(), secret: 'the-configured-secret-of-32-chars-or-more' };
const ADMINISTRATOR = {
  Service_Bootstrap__AdminEmail: EMAIL,
  Service_Bootstrap__AdminPassword: PASSWORD,
  Service_Bootstrap__AdminPatTokenId: TOKEN.id,
  Service_Bootstrap__AdminPatSecret: TOKEN.secret,
};

/** Folder of the bundle that the service offers for installation. */
let bundles: string;

beforeAll(async () => {
  const project = await builtProject();
  bundles = await mkdtemp(join(tmpdir(), 'bundles-'));
  const builder = [join(project, 'dist/agent/bundle/main.js'), '--only', PLATFORM, '--node', process.execPath];
  await execute(process.execPath, [...builder, '--output', bundles]);
}, TIMEOUT_MS);

afterAll(() => rm(bundles, { recursive: true, force: true }));

/** Publishes the files of an installed agent with one more, as another version. */
async function publishWithNews(machine: Machine, installed: string): Promise<void> {
  const folder = join(machine.dataPath, 'downloads', PLATFORM);
  await mkdir(folder, { recursive: true });
  await writeFile(join(machine.folder, 'news.txt'), 'Better than before.');
  const archive = join(machine.folder, 'changed.tar');
  await execute('tar', ['-cf', archive, '-C', installed, '.']);
  await execute('tar', ['-rf', archive, '-C', machine.folder, './news.txt']);
  // In the format only: to compress Node.js would take most of the processor time of this test.
  const inFormat = createGzip({ level: constants.Z_NO_COMPRESSION });
  await pipeline(createReadStream(archive), inFormat, createWriteStream(join(folder, 'device-agent.tar.gz')));
  await writeFile(join(folder, 'device-agent.version'), '0.2.0.0');
}

describe.skipIf(DOWNLOAD === null)(`a restored installation${DOWNLOAD === null ? `: skipped, because ${WITHOUT_DOWNLOAD}` : ''}`, () => {
  it(
    'takes the tokens, passwords and device keys from before the backup, and agents update from its published files',
    async () => {
      const machine = await Machine.afterFirstStart();
      onTestFinished(() => machine.close());
      const host = await hostWithFewTools(machine.folder);
      const port = { Service_Port: String(await portToKeep()) };
      const first = await machine.start({ ...port, ...ADMINISTRATOR, Service_AgentBundle__Folder: bundles });
      const { tenantId, keyId, keySecret } = await enrol(machine.client(first));

      const [data, program] = [join(machine.folder, 'agent'), join(machine.folder, 'program')];
      const options = `--server ${first.url} --tenant ${tenantId} --key-id ${keyId} --data-dir ${data} --prefix ${program} --no-service`;
      const onHost = (name: string, command: readonly string[], env = {}): Program =>
        Program.start(name, host.command(command), {
          cwd: '/',
          env: { ...host.environment, DEVICE_AGENT_TRIAL_SECONDS: '60', ...env },
        });
      const installation = onHost(
        'The installation',
        ['sh', '-c', `${host.download} ${first.url}/downloads/install.sh | sh -s -- ${options}`],
        {
          DEVICE_AGENT_KEY_SECRET: keySecret,
        },
      );
      const [, deviceId = ''] = await installation.untilPrints(/Device (\S+) is installed/);
      expect((await installation.untilEnd()).code).toBe(0);
      const version = async (): Promise<string> => readlink(join(program, 'current'));
      const installed = await version();
      await publishWithNews(machine, join(program, installed));

      const file = join(machine.folder, 'installation.backup');
      const configuration = { Service_DataPath: machine.dataPath };
      expect(await run('backup', [file], machine.folder, configuration)).toMatchObject({ code: 0 });
      await first.program.stop();
      // Another machine, with the address of the former one.
      await rename(machine.dataPath, join(machine.folder, 'former-data'));
      expect(await run('restore', [file], machine.folder, configuration)).toMatchObject({ code: 0 });
      expect(await readdir(join(machine.dataPath, 'downloads', PLATFORM))).toContain('device-agent.tar.gz');

      const without = Object.fromEntries(Object.keys(machine.account.env).map((name) => [name, '']));
      const again: Service = await machine.start({ ...port, ...without });
      const token = new ApiClient(again.url, { 'x-personal-token': formatKey(TOKEN.id, TOKEN.secret) });
      expect((await token.get('/api/v1/tenants')).status).toBe(200);
      expect((await machine.client(again).get('/api/v1/tenants')).text).toContain(tenantId);
      expect((await new Browser(again).signIn({ userName: EMAIL })).body).toEqual({ outcome: 'SignedIn', mustChangePassword: false });
      expect((await new Browser(again).signIn({ userName: EMAIL }, 'Other-Horse-8')).status).toBe(401);

      const agent = onHost('The agent', [join(program, 'device-agent'), 'run', '--data-dir', data]);
      onTestFinished(async () => void (await agent.stop()));
      await eventually('the agent has updated itself', async () => (await version()) !== installed, TIMEOUT_MS / 2);
      const published = (await (await fetch(`${again.url}/downloads/${PLATFORM}/device-agent.json`)).json()) as { sha256: string };
      expect(await version()).toBe(`versions/${published.sha256}`);
      await eventually('the device is online with its key', async () => {
        const device = await machine.client(again).get(`/api/v1/devices/${deviceId}`);
        return device.as<{ isOnline: boolean }>().isOnline;
      });
      expect(await readdir(join(program, await version()))).toContain('news.txt');
    },
    TIMEOUT_MS,
  );
});
