import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

import { Agent } from '../../agent/src/agent.js';
import { dataDirectory } from '../../agent/src/data-directory.js';
import type { Log } from '../../agent/src/logs/log.js';
import { install } from '../../agent/src/service/installation.js';
import type { Service } from '../../demo/service.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { Work, type StoredDevice } from '../support/devices/continuous-work.js';
import { enrol, ReportingDevice, type Enrolment } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { Machine, onDatabase, portToKeep, type Environment } from '../support/processes/service-process.js';
import { SEVERAL } from '../support/rounds.js';

/*
 * The service is told to stop while it has much to do, again and again. Everything acknowledged is there at the next start: writes,
 * reports of devices, and the bytes of files.
 */

/** Number of connections: enough that ending them takes a while, and that their order cannot be chance. */
const CONNECTIONS = 120;
/** Least time between the first and the last of so many ends, as the test sees it on a busy machine, in milliseconds. */
const SPREAD_MS = 60;
const UPLOAD_BYTES = 256 * 1024;
/** Pause before work that failed is tried again, in milliseconds. */
const RETRY_MS = 20;
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let machine: Machine;
let database: TestDatabase;
let env: Environment;

beforeAll(async () => {
  [machine, database] = await Promise.all([Machine.open(), createTestDatabase()]);
  env = { ...onDatabase(database), Service_Port: String(await portToKeep()) };
});

afterAll(async () => {
  await machine.close();
  await database.drop();
});

/** Writes and uploads without a pause, with the answers that they are done. */
class Writing {
  readonly tenants: string[] = [];
  readonly files = new Map<string, string>();
  private hasStopped = false;
  private readonly loops: Promise<void>[];

  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly upload: { readonly tenantId: string; readonly deviceId: string; readonly directory: string },
  ) {
    this.loops = [this.again('tenant', (name) => this.createTenant(name)), this.again('file', (name) => this.send(name))];
  }

  /** Waits until so many more of both were answered. */
  async progress(count: number): Promise<void> {
    const [tenants, files] = [this.tenants.length + count, this.files.size + count];
    await eventually('writes and files are answered', () => this.tenants.length >= tenants && this.files.size >= files);
  }

  async stop(): Promise<void> {
    this.hasStopped = true;
    await Promise.all(this.loops);
  }

  private async again(what: string, act: (name: string) => Promise<void>): Promise<void> {
    for (let number = 0; !this.hasStopped; number += 1) {
      // Work that fails while the service is away was not acknowledged.
      await act(`${what}-${number}`).catch(() => delay(RETRY_MS));
    }
  }

  private async createTenant(name: string): Promise<void> {
    const headers = { 'x-api-key': this.key, 'content-type': 'application/json' };
    const { status } = await this.post('/api/v1/tenants', headers, JSON.stringify({ name }));
    if (status === 201) this.tenants.push(name);
  }

  private async send(name: string): Promise<void> {
    const { deviceId, tenantId, directory } = this.upload;
    const content = randomBytes(UPLOAD_BYTES);
    const form = new FormData();
    form.set('targetSaveDirectory', directory);
    form.set('file', new Blob([content]), name);
    const path = `/api/v1/device-file-system/upload/${deviceId}?tenantId=${tenantId}`;
    const { status } = await this.post(path, { 'x-api-key': this.key }, form);
    if (status === 200) this.files.set(name, sha256(content));
    else await delay(RETRY_MS);
  }

  private async post(path: string, headers: Record<string, string>, body: string | FormData): Promise<Response> {
    const response = await fetch(`${this.url}${path}`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function tenantNames(): Promise<string[]> {
  const client = new Client(database.connection);
  await client.connect();
  try {
    return (await client.query<{ name: string }>('SELECT name FROM tenants')).rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Connects devices. The returned function gives the times at which their connections have ended, in the order in which they began. */
async function connect({ url }: Service, enrolment: Enrolment): Promise<() => Promise<readonly number[]>> {
  const ended = new Map<number, number>();
  for (let index = 0; index < CONNECTIONS; index += 1) {
    const device = machine.alsoStop(await connectable(url, enrolment));
    await device.connect(url, () => ended.set(index, performance.now()));
  }
  return async () => {
    await eventually('all connections have ended', () => ended.size === CONNECTIONS);
    return [...ended].sort(([first], [second]) => first - second).map(([, time]) => time);
  };
}

async function connectable(url: string, enrolment: Enrolment): Promise<ReportingDevice & { stop(): Promise<void> }> {
  const device = await ReportingDevice.register(url, enrolment);
  return Object.assign(device, { stop: () => device.disconnect() });
}

describe('a service that is told to stop under load', () => {
  it(`${SEVERAL} times loses no acknowledged write, report or byte, and sends its agents away one after the other`, async () => {
    let service = await machine.start(env);
    const enrolment = await enrol(machine.client(service));
    const { tenantId, keyId, keySecret } = enrolment;
    const agentFolder = dataDirectory(join(machine.folder, 'agent'));
    const { deviceId } = await install(
      { serverUri: service.url, tenantId, installerKey: { id: keyId, secret: keySecret } },
      agentFolder,
      SILENT,
    );
    let agent: Agent | undefined;
    machine.alsoStop({ stop: async () => agent?.stop() });
    const directory = join(machine.folder, 'target');
    await mkdir(directory);
    const writing = machine.alsoStop(new Writing(service.url, machine.account.key, { tenantId, deviceId, directory }));
    const works: Work[] = [];

    for (let stop = 0; stop < SEVERAL; stop += 1) {
      if (stop > 0) service = await machine.start(env);
      // Started each time: one that goes on leaves more and more time between its attempts while the service is away.
      agent = await Agent.start({ directory: agentFolder, log: SILENT });
      const ends = stop === 0 ? await connect(service, enrolment) : null;
      const work = machine.alsoStop(await Work.begin(service.url, enrolment));
      works.push(work);
      await Promise.all([work.progress(3), writing.progress(2)]);

      service.program.signal('SIGTERM');

      expect(await service.program.untilEnd()).toEqual({ code: 0, signal: null });
      await work.stop();
      await agent.stop();
      agent = undefined;
      const times = (await ends?.()) ?? null;
      if (times === null) continue;
      expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(SPREAD_MS);
      expect(times).not.toEqual([...times].sort((first, second) => first - second));
    }

    await writing.stop();
    service = await machine.start(env);
    const devices = (await machine.client(service).get('/api/v1/devices')).as<StoredDevice[]>();
    expect(works.flatMap((work) => work.missingFrom(devices))).toEqual([]);
    const tenants = await tenantNames();
    expect(writing.tenants.filter((name) => !tenants.includes(name))).toEqual([]);
    const stored = new Set(await readdir(directory));
    for (const [name, hash] of writing.files) {
      expect(stored.has(name)).toBe(true);
      expect(sha256(await readFile(join(directory, name)))).toBe(hash);
    }
  });
});
