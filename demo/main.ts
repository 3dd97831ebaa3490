import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Api } from './api.js';
import { Program } from './program.js';
import { launchService, newBootstrapAccount, plainEnvironment, stopOrphanedPostgres, untilListening } from './service.js';
import { Steps } from './steps.js';
import { Terminal } from './terminal.js';

/*
 * Shows the service from the outside: a service and a device agent in processes of their own, HTTP, and the official
 * hub client. Everything is in one temporary folder, which is removed at the end.
 */

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const AGENT = [process.execPath, join(PROJECT, 'dist/agent/src/main.js')];
const ONLINE_DEADLINE_MS = 60_000;
const ONLINE_POLL_MS = 50;
const FILE_BYTES = 8 * 1024 * 1024;

/** Steps to undo, the last one first. */
type CleanUp = () => Promise<unknown>;

async function demonstrate(steps: Steps, folder: string, cleanUps: CleanUp[]): Promise<void> {
  const account = newBootstrapAccount();
  const service = launchService(PROJECT, folder, {
    ...account.env,
    Service_Port: '0',
    Service_BindAddress: '127.0.0.1',
    Service_DataPath: join(folder, 'data'),
  });
  cleanUps.push(() => service.stop());
  const { url } = await steps.do(
    () => untilListening(service),
    (listening) => `the service listens on ${listening.url}, with a PostgreSQL of its own`,
  );
  const api = new Api(url, account.key);

  const { tenantId } = await steps.do(
    () => api.post<{ tenantId: string }>('/api/v1/tenants', { name: 'Demonstration' }),
    (tenant) => `created tenant ${tenant.tenantId}`,
  );
  const installerKey = await steps.do(
    () => api.post<{ id: string; keySecret: string }>('/api/v1/installer-keys', { tenantId, keyType: 'UsageBased', allowedUses: 1 }),
    ({ id }) => `created installer key ${id}, good for one device`,
  );

  const agentData = join(folder, 'agent');
  const options = { cwd: folder, env: { ...plainEnvironment(), DEVICE_AGENT_KEY_SECRET: installerKey.keySecret } };
  const deviceId = await steps.do(
    () => installAgent(options, ['--server', url, '--tenant', tenantId, '--key-id', installerKey.id, '--data-dir', agentData]),
    (id) => `the agent registered device ${id}`,
  );
  const agent = Program.start('The agent', [...AGENT, 'run', '--data-dir', agentData], { cwd: folder, env: plainEnvironment() });
  cleanUps.push(() => agent.stop());
  await steps.do(
    () => untilOnline(api, deviceId),
    (name) => `device "${name}" is online`,
  );

  const terminal = await steps.do(
    () => Terminal.open(url, account.key, deviceId),
    () => 'opened a terminal on the device',
  );
  await steps.do(
    () => terminal.run('echo "$((6 * 7)) is the answer of $(uname -s)"', /42 is the answer of \w+/),
    (output) => `ran a command in it: ${output}`,
  );
  await terminal.close();

  const shared = join(folder, 'shared');
  await mkdir(shared);
  await writeFile(join(shared, 'notes.txt'), 'Left here before the visit.\n');
  await steps.do(
    () => listDirectory(api, tenantId, deviceId, shared),
    (names) => `listed a directory of the device: ${names.join(', ')}`,
  );
  const content = randomBytes(FILE_BYTES);
  await steps.do(
    () => upload(api, tenantId, deviceId, shared, content),
    () => `uploaded a file of ${FILE_BYTES / 1024 / 1024} MiB`,
  );
  const query = new URLSearchParams({ tenantId, filePath: join(shared, 'upload.bin') });
  const received = await steps.do(
    () => api.download(`/api/v1/device-file-system/download/${deviceId}?${query.toString()}`),
    () => 'downloaded it again',
  );
  const [sent, got] = [sha256(content), sha256(received)];
  if (sent !== got) throw new Error(`The file changed on its way: SHA-256 ${sent} went, ${got} came back.`);
  await steps.do(
    () => Promise.resolve(got),
    (hash) => `both have SHA-256 ${hash.slice(0, 16)}…`,
  );
}

/** Installs the agent in a folder and returns the id of the device. */
async function installAgent(options: { cwd: string; env: NodeJS.ProcessEnv }, args: readonly string[]): Promise<string> {
  const program = Program.start('The installation', [...AGENT, 'install', '--no-service', ...args], options);
  const [, deviceId = ''] = await program.untilPrints(/Device (\S+) is installed/);
  await program.untilEnd();
  return deviceId;
}

/** Waits until the service reports the device as online and returns its name. */
async function untilOnline(api: Api, deviceId: string): Promise<string> {
  const deadline = performance.now() + ONLINE_DEADLINE_MS;
  while (performance.now() < deadline) {
    const device = await api.get<{ name: string; isOnline: boolean }>(`/api/v1/devices/${deviceId}`);
    if (device.isOnline) return device.name;
    await delay(ONLINE_POLL_MS);
  }
  throw new Error(`The device did not come online within ${ONLINE_DEADLINE_MS / 1000} s.`);
}

async function listDirectory(api: Api, tenantId: string, deviceId: string, directoryPath: string): Promise<string[]> {
  const path = `/api/v1/device-file-system/contents?tenantId=${tenantId}`;
  const { items } = await api.post<{ items: { name: string }[] }>(path, { deviceId, directoryPath });
  return items.map(({ name }) => name);
}

async function upload(api: Api, tenantId: string, deviceId: string, directory: string, content: Buffer<ArrayBuffer>): Promise<void> {
  const form = new FormData();
  form.set('targetSaveDirectory', directory);
  form.set('file', new Blob([content]), 'upload.bin');
  await api.post(`/api/v1/device-file-system/upload/${deviceId}?tenantId=${tenantId}`, form);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function main(): Promise<number> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'demo-')));
  // When this runs as root, the bundled PostgreSQL runs as another account.
  await chmod(folder, 0o755);
  const cleanUps: CleanUp[] = [() => rm(folder, { recursive: true, force: true }), () => stopOrphanedPostgres(join(folder, 'data'))];
  const steps = new Steps(interruption.signal);
  let exitCode = 0;
  try {
    await demonstrate(steps, folder, cleanUps);
  } catch (error) {
    console.error(`The demonstration failed: ${error instanceof Error ? error.message : String(error)}`);
    exitCode = 1;
  }
  for (const cleanUp of cleanUps.reverse()) {
    try {
      await cleanUp();
    } catch (error) {
      console.error(`Cleaning up failed: ${error instanceof Error ? error.message : String(error)}`);
      exitCode = 1;
    }
  }
  steps.finish(exitCode === 0 ? 'all of it; no process and no file is left' : 'cleaned up');
  return exitCode;
}

process.exitCode = await main();
