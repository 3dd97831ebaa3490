import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { getPublicKeyAsync, utils } from '@noble/ed25519';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { agentClient, hubOk, toBase64, viewerHub } from '#libs/contracts';

import type { Service } from '../../demo/service.js';
import { fingerprintOf } from '../../src/devices/devices/key-approvals/key-fingerprint.js';
import { KEY_PENDING_REASON } from '../../src/platform/common/errors/errors.js';
import { TestViewer } from '../hubs/viewer-client.js';
import type { Stoppable } from '../support/application/app.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { deviceReport, FakeAgent, type KeyedDevice } from '../support/devices/agents.js';
import { enrol, type Enrolment } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { Machine, onDatabase } from '../support/processes/service-process.js';

/*
 * An agent is connected to one process, and through another one its device is registered again, deleted, or has its key decided. From then
 * on nothing reaches the former agent.
 */

/** A second is what is promised. The rest is for a machine that has much else to do. */
const DEADLINE_MS = 20_000;

let machine: Machine;
let database: TestDatabase;
/** The process that agents and viewers are connected to, and the one through which devices change. */
let here: Service;
let elsewhere: Service;
let enrolment: Enrolment;
let viewer: TestViewer;
const stopping: Stoppable[] = [];

beforeAll(async () => {
  [machine, database] = await Promise.all([Machine.open(), createTestDatabase()]);
});

// Apart, because the first hook of a run may wait for the build.
beforeAll(async () => {
  const start = (name: string): Promise<Service> =>
    machine.start({
      ...onDatabase(database),
      Service_DataPath: join(machine.folder, name),
      DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE: 'yes',
    });
  [here, elsewhere] = await Promise.all([start('here'), start('elsewhere')]);
});

beforeEach(async () => {
  enrolment = await enrol(machine.client(elsewhere));
  viewer = keep(await TestViewer.connect(here, { 'x-api-key': machine.account.key }));
});

afterEach(async () => {
  for (const started of stopping.splice(0).reverse()) await started.stop();
});

afterAll(async () => {
  await machine.close();
  await database.drop();
});

function keep<T extends Stoppable>(started: T): T {
  stopping.push(started);
  return started;
}

/** Registers a device with a new key through the other process. */
async function register(id: string): Promise<KeyedDevice> {
  const { tenantId, keyId: installerKeyId, keySecret: installerKeySecret } = enrolment;
  const seed = utils.randomSecretKey();
  const publicKey = toBase64(await getPublicKeyAsync(seed));
  const device = deviceReport({ id, tenantId });
  const body = { device, installerKeyId, installerKeySecret, tagIds: null, publicKey };
  expect((await machine.client(elsewhere).post('/api/agent/devices', { body })).status).toBe(200);
  return { id, tenantId, seed, publicKey };
}

/** New keys of devices wait for approval in the tenant of the test. */
async function requireApproval(): Promise<void> {
  const body = { name: 'require-approval-for-new-device-keys', value: 'true' };
  const answer = await machine.client(elsewhere).post('/api/v1/tenant-settings', { query: { tenantId: enrolment.tenantId }, body });
  expect(answer.status).toBe(200);
}

interface NotingAgent {
  readonly agent: FakeAgent;
  /** The names of the methods that the service has called. */
  readonly calls: string[];
}

/** An agent that has reported its device, and notes what reaches it. */
async function noting(device: KeyedDevice): Promise<NotingAgent> {
  const agent = keep(await FakeAgent.connect(here, device));
  const calls: string[] = [];
  for (const method of Object.values(agentClient)) agent.answerRaw(method, () => void calls.push(method.name));
  agent.on(agentClient.CreateTerminalSession, () => {
    calls.push('CreateTerminalSession');
    return hubOk();
  });
  expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
  return { agent, calls };
}

/** Opens a terminal of the device through the process that its agent is connected to. */
const open = ({ id: deviceId }: KeyedDevice) => viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: randomUUID() });

/** An agent through which the device is reached. */
async function reached(device: KeyedDevice): Promise<NotingAgent> {
  const noted = await noting(device);
  expect(await open(device)).toMatchObject({ isSuccess: true });
  expect(noted.calls).toContain('CreateTerminalSession');
  return noted;
}

/** Waits until the device is not reached any more, and expects that from then on nothing is called. */
async function expectUnreached(device: KeyedDevice, { calls }: NotingAgent): Promise<void> {
  await eventually('the agent is not reached any more', async () => !(await open(device)).isSuccess, DEADLINE_MS);
  const before = calls.filter((name) => name === 'CreateTerminalSession').length;
  for (const method of [viewerHub.RefreshDeviceInfo2, viewerHub.CreateTerminalSession2]) {
    const request = { deviceId: device.id, terminalId: randomUUID() };
    expect(await viewer.call(method, request)).toMatchObject({ isSuccess: false });
  }
  expect(calls.filter((name) => name === 'CreateTerminalSession')).toHaveLength(before);
  expect(calls).not.toContain('RefreshDeviceInfo');
}

describe('the former agent', () => {
  it('of a device that was registered again through another process is not reached any more', async () => {
    const device = await register(randomUUID());
    const former = await reached(device);
    await register(device.id);
    await expectUnreached(device, former);
    expect(await former.agent.heartbeat()).toMatchObject({ isSuccess: false });
    await expectUnreached(device, former);
  });

  it('of a device that was deleted through another process is not reached, also once the device is back', async () => {
    const device = await register(randomUUID());
    const former = await reached(device);
    expect((await machine.client(elsewhere).delete(`/api/v1/devices/${device.id}`)).status).toBe(204);
    await expectUnreached(device, former);
    await register(device.id);
    await expectUnreached(device, former);
  });

  it('of a device whose new key was approved through another process is not reached any more, and the new one is', async () => {
    await requireApproval();
    const device = await register(randomUUID());
    await machine
      .client(elsewhere)
      .post(`/api/v1/devices/${device.id}/key-approval`, { body: { fingerprint: fingerprintOf(device.publicKey) } });
    const former = await reached(device);
    const renewed = await register(device.id);
    const next = await noting(renewed);
    expect(await open(device)).toMatchObject({ isSuccess: true });
    expect(next.calls).toEqual([]);

    const body = { fingerprint: fingerprintOf(renewed.publicKey) };
    expect((await machine.client(elsewhere).post(`/api/v1/devices/${device.id}/key-approval`, { body })).status).toBe(200);

    await eventually(
      'the new agent is reached',
      async () => {
        await open(device);
        return next.calls.includes('CreateTerminalSession');
      },
      DEADLINE_MS,
    );
    const before = former.calls.filter((name) => name === 'CreateTerminalSession').length;
    expect(await open(device)).toMatchObject({ isSuccess: true });
    expect(former.calls.filter((name) => name === 'CreateTerminalSession')).toHaveLength(before);
  });

  it('whose key was refused through another process is not known any more', async () => {
    await requireApproval();
    const device = await register(randomUUID());
    await machine
      .client(elsewhere)
      .post(`/api/v1/devices/${device.id}/key-approval`, { body: { fingerprint: fingerprintOf(device.publicKey) } });
    const refused = await noting(await register(device.id));
    expect(await open(device)).toMatchObject({ isSuccess: false, reason: KEY_PENDING_REASON });

    expect((await machine.client(elsewhere).delete(`/api/v1/devices/${device.id}/key-approval`)).status).toBe(204);

    await eventually('nothing waits any more', async () => (await open(device)).reason !== KEY_PENDING_REASON, DEADLINE_MS);
    await expectUnreached(device, refused);
    expect(refused.calls).toEqual([]);
    expect(await refused.agent.heartbeat()).toMatchObject({ isSuccess: false });
  });
});
