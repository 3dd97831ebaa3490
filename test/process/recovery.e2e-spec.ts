import { beforeAll, describe, expect } from 'vitest';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Agent } from '../../agent/src/agent.js';
import { dataDirectory } from '../../agent/src/data-directory.js';
import type { Log } from '../../agent/src/logs/log.js';
import { install } from '../../agent/src/service/installation.js';
import type { Service } from '../../demo/service.js';
import { eventually } from '../support/eventually.js';
import { enrol, ReportingDevice, type Enrolment } from '../support/reporting-device.js';
import { builtProject, isAlive, onMachine, portToKeep, type Machine } from '../support/service-process.js';

const REPORTING_DEVICES = 5;
const REGISTRATION_LOOPS = 4;
/** Before work that failed is tried again. Without a pause it would keep from the machine what recovery needs. */
const RETRY_MS = 20;
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface StoredDevice {
  readonly id: string;
  readonly name: string;
  readonly isOnline: boolean;
}

/** Continuous registrations and reports, with what the service has confirmed of them. */
class Work {
  readonly registered: string[] = [];
  /** The number of the last accepted report of each device. */
  readonly reported = new Map<string, number>();
  private stopped = false;
  private readonly loops: Promise<void>[] = [];

  private constructor(
    private readonly url: string,
    private readonly enrolment: Enrolment,
    readonly devices: readonly ReportingDevice[],
  ) {}

  static async begin(url: string, enrolment: Enrolment): Promise<Work> {
    const devices = await Promise.all(Array.from({ length: REPORTING_DEVICES }, () => ReportingDevice.register(url, enrolment)));
    await Promise.all(devices.map((device) => device.connect(url)));
    const work = new Work(url, enrolment, devices);
    for (let loop = 0; loop < REGISTRATION_LOOPS; loop += 1) work.loops.push(work.again(() => work.register()));
    for (const device of devices) work.loops.push(work.again(() => work.report(device)));
    return work;
  }

  /** Waits until this many further registrations, and reports of each device, were accepted. */
  async progress(count: number): Promise<void> {
    const registered = this.registered.length + count;
    const reported = this.devices.map(({ id }) => ({ id, least: (this.reported.get(id) ?? 0) + count }));
    await eventually('registrations and reports are accepted', () => {
      return this.registered.length >= registered && reported.every(({ id, least }) => (this.reported.get(id) ?? 0) >= least);
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.loops);
    await Promise.all(this.devices.map((device) => device.disconnect()));
  }

  /** Accepted registrations and reports that the list of devices does not show. */
  missingFrom(stored: readonly StoredDevice[]): string[] {
    const names = new Map(stored.map(({ id, name }) => [id, name]));
    const missing = this.registered.filter((id) => !names.has(id)).map((id) => `device ${id}`);
    for (const [id, number] of this.reported) {
      const name = names.get(id) ?? '';
      if (!(Number(name.replace('report ', '')) >= number)) missing.push(`report ${number} of device ${id}, which is "${name}"`);
    }
    return missing;
  }

  private async register(): Promise<void> {
    const device = await ReportingDevice.register(this.url, this.enrolment);
    this.registered.push(device.id);
  }

  private async report(device: ReportingDevice): Promise<void> {
    const number = (this.reported.get(device.id) ?? 0) + 1;
    await device.reportAs(`report ${number}`);
    this.reported.set(device.id, number);
  }

  private async again(act: () => Promise<void>): Promise<void> {
    while (!this.stopped) {
      // Failures while something is down are allowed; the next turn tries again.
      await act().catch(() => delay(RETRY_MS));
    }
  }
}

describe.concurrent('after a crash', () => {
  // Here, so that no test's own time limit holds the build.
  beforeAll(builtProject);

  async function storedDevices(machine: Machine, service: Service): Promise<StoredDevice[]> {
    return (await machine.client(service).get('/api/v1/devices')).as<StoredDevice[]>();
  }

  async function stored(machine: Machine, service: Service, deviceId: string): Promise<StoredDevice> {
    return (await machine.client(service).get(`/api/v1/devices/${deviceId}`)).as<StoredDevice>();
  }

  onMachine('of the service: the next start adopts PostgreSQL, nothing acknowledged is lost, and agents reconnect', async ({ machine }) => {
    const port = { Service_Port: String(await portToKeep()) };
    const first = await machine.start(port);
    const enrolment = await enrol(machine.client(first));
    const agentDirectory = dataDirectory(join(machine.folder, 'agent'));
    const installerKey = { id: enrolment.keyId, secret: enrolment.keySecret };
    const { deviceId: agentId } = await install(
      { serverUri: first.url, tenantId: enrolment.tenantId, installerKey },
      agentDirectory,
      SILENT,
    );
    const agent = await Agent.start({ directory: agentDirectory, log: SILENT, reconnectJitterSeconds: 0 });
    machine.alsoStop(agent);
    await eventually('the agent is online', async () => (await stored(machine, first, agentId)).isOnline);
    const postgres = await machine.postgresPid();
    const work = await Work.begin(first.url, enrolment);
    machine.alsoStop(work);
    await work.progress(20);

    await first.program.kill();
    await work.stop();
    expect(await isAlive(postgres)).toBe(true);
    const second = await machine.start(port);

    expect(await machine.postgresPid()).toBe(postgres);
    const devices = await storedDevices(machine, second);
    expect(work.missingFrom(devices)).toEqual([]);
    expect(devices.filter(({ id, isOnline }) => isOnline && id !== agentId)).toEqual([]);
    await eventually('the agent is online again', async () => (await stored(machine, second, agentId)).isOnline);
  });

  onMachine('of PostgreSQL: the service keeps running, restarts it, and loses nothing acknowledged', async ({ machine }) => {
    const service = await machine.start();
    const work = await Work.begin(service.url, await enrol(machine.client(service)));
    machine.alsoStop(work);
    await work.progress(20);
    const postgres = await machine.postgresPid();
    const health = async (): Promise<number> => (await machine.client(service).get('/health')).status;
    expect(await health()).toBe(200);

    process.kill(postgres, 'SIGKILL');

    // How long `/health` answers 503 depends on the machine, and may be too short to be seen.
    await service.program.untilPrints(/PostgreSQL went away; bringing it back[^]*PostgreSQL takes connections again/);
    await eventually('the service can work again', async () => (await health()) === 200);
    expect(await machine.postgresPid()).not.toBe(postgres);
    // The same connections as before continue.
    await work.progress(20);
    const online = await storedDevices(machine, service);
    expect(work.devices.map(({ id }) => online.find((device) => device.id === id)?.isOnline)).toEqual(work.devices.map(() => true));
    await work.stop();
    expect(work.missingFrom(await storedDevices(machine, service))).toEqual([]);
    expect(service.program.isRunning).toBe(true);
    await service.program.untilPrints(/The connection for cache invalidation is back/);
  });

  onMachine('of service and PostgreSQL together, like a power failure: nothing acknowledged is lost', async ({ machine }) => {
    const first = await machine.start();
    const work = await Work.begin(first.url, await enrol(machine.client(first)));
    machine.alsoStop(work);
    await work.progress(20);

    process.kill(await machine.postgresPid(), 'SIGKILL');
    await first.program.kill();
    await work.stop();
    const second = await machine.start();

    const devices = await storedDevices(machine, second);
    expect(work.missingFrom(devices)).toEqual([]);
    expect(devices.filter(({ isOnline }) => isOnline)).toEqual([]);
  });

  onMachine('of the agent: its device is offline at once', async ({ machine }) => {
    const service = await machine.start();
    const { tenantId, keyId, keySecret } = await enrol(machine.client(service));
    const place = ['--data-dir', join(machine.folder, 'agent')];
    const options = ['--no-service', '--server', service.url, '--tenant', tenantId, '--key-id', keyId, ...place];
    const installation = machine.agent(['install', ...options], { DEVICE_AGENT_KEY_SECRET: keySecret });
    const [, deviceId = ''] = await installation.untilPrints(/Device (\S+) is installed/);
    const agent = machine.agent(['run', ...place]);
    await eventually('the device is online', async () => (await stored(machine, service, deviceId)).isOnline);

    await agent.kill();

    // Sooner than a silent connection times out.
    await eventually('the device is offline', async () => !(await stored(machine, service, deviceId)).isOnline, 15_000);
    machine.agent(['run', ...place]);
    await eventually('the device is online again', async () => (await stored(machine, service, deviceId)).isOnline);
  });
});
