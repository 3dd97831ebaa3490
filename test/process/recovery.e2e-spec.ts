import { beforeAll, describe, expect } from 'vitest';
import { join } from 'node:path';

import { Agent } from '../../agent/src/agent.js';
import { dataDirectory } from '../../agent/src/data-directory.js';
import type { Log } from '../../agent/src/logs/log.js';
import { install } from '../../agent/src/service/installation.js';
import type { Service } from '../../demo/service.js';
import { Work, type StoredDevice } from '../support/devices/continuous-work.js';
import { enrol } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { builtProject, isAlive, onMachine, portToKeep, type Machine } from '../support/processes/service-process.js';

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

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

    // The time for which `/health` answers 503 depends on the machine, and may be too short to be seen.
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
