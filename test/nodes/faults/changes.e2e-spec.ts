import { randomUUID } from 'node:crypto';

import { getPublicKeyAsync, utils } from '@noble/ed25519';
import { beforeEach, describe, expect, it } from 'vitest';

import { agentClient, hubOk, toBase64, viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { fingerprintOf } from '../../../src/devices/devices/key-approvals/key-fingerprint.js';
import { TestViewer } from '../../hubs/viewer-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { browserOf, createPerson } from '../../support/callers/browser.js';
import { deviceReport, FakeAgent, registerKeyedDevice, type KeyedDevice } from '../../support/devices/agents.js';
import { enrol, type Enrolment } from '../../support/devices/reporting-device.js';
import { eventually } from '../../support/eventually.js';
import { at, createServiceAccountWithKey, grant, holder } from '../../support/fixtures/factories.js';
import { stopAfterEach } from '../../support/setup/test-server.js';
import { Repetition } from '../load/repetition.js';
import { noNats } from '../support/nats-server.js';
import { testNodes } from '../support/test-nodes.js';

/*
 * A device is registered again or deleted, its key is decided, or a viewer loses a right or the session, each at one node. Agents and viewers
 * at the other nodes lose it within a second.
 */

/** A second is what is promised. The rest is for a machine that has much else to do. */
const WITHIN_MS = 20_000;
const NODES = [0, 1, 2];

describe.skipIf(noNats !== undefined)('a change at another node', () => {
  const nodes = testNodes(3);
  const keep = stopAfterEach();
  let enrolment: Enrolment;
  let viewers: readonly TestViewer[];

  beforeEach(async () => {
    enrolment = await enrol(nodes.node(0).client());
    viewers = await Promise.all(NODES.map((number) => viewerAt(number, { 'x-api-key': ROOT_KEY })));
  });

  const viewerAt = async (number: number, headers: Record<string, string>): Promise<TestViewer> =>
    keep(await TestViewer.connect(nodes.node(number), headers));

  const register = (): Promise<KeyedDevice> => registerKeyedDevice(nodes.node(0).client(), enrolment);

  /** Registers a device with another key, at node 0. */
  async function registerAgain({ id, tenantId }: KeyedDevice): Promise<KeyedDevice> {
    const seed = utils.randomSecretKey();
    const publicKey = toBase64(await getPublicKeyAsync(seed));
    const { keyId: installerKeyId, keySecret: installerKeySecret } = enrolment;
    const body = { device: deviceReport({ id, tenantId }), installerKeyId, installerKeySecret, tagIds: null, publicKey };
    expect((await nodes.node(0).client().post('/api/agent/devices', { body })).status).toBe(200);
    return { id, tenantId, seed, publicKey };
  }

  interface Noting {
    readonly agent: FakeAgent;
    /** Times of the calls that have reached it. */
    readonly calls: number[];
    readonly closed: string[];
  }

  /** An agent that notes when it is called. */
  async function agentAt(number: number, device: KeyedDevice): Promise<Noting> {
    const agent = keep(await FakeAgent.connect(nodes.node(number), device));
    const noting: Noting = { agent, calls: [], closed: [] };
    agent.on(agentClient.CreateTerminalSession, () => {
      noting.calls.push(performance.now());
      return hubOk();
    });
    agent.on(agentClient.CloseTerminalSession, (id) => void noting.closed.push(id));
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
    return noting;
  }

  const open = async (viewer: TestViewer, { id: deviceId }: KeyedDevice): Promise<boolean> =>
    (await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId: randomUUID() })).isSuccess;

  /** Calls the agent through all nodes without a pause. */
  async function callWithoutPause(device: KeyedDevice, { calls }: Noting): Promise<void> {
    for (const [number, viewer] of viewers.entries()) keep(new Repetition(`node ${number}`, () => open(viewer, device)));
    await eventually('the agent is called', () => calls.length > 10);
  }

  /** Expects that an agent gets no call any more, from any node. */
  async function expectLeft(device: KeyedDevice, { calls }: Noting, isReached: boolean): Promise<void> {
    const changedAt = performance.now();
    await eventually(
      'no call comes any more',
      async () => {
        const before = calls.length;
        const opened: boolean[] = [];
        for (const viewer of [...viewers, ...viewers]) opened.push(await open(viewer, device));
        return calls.length === before && opened.every((isOpened) => isOpened === isReached);
      },
      WITHIN_MS,
    );
    expect((calls.at(-1) ?? 0) - changedAt).toBeLessThan(WITHIN_MS);
    const before = calls.length;
    for (let round = 0; round < 20; round += 1) for (const viewer of viewers) await open(viewer, device);
    expect(calls.length).toBe(before);
  }

  it('gives the former agent of a device that was registered again no call any more', async () => {
    const device = await register();
    const former = await agentAt(1, device);
    await callWithoutPause(device, former);
    const renewed = await registerAgain(device);
    await expectLeft(device, former, false);
    expect(await former.agent.heartbeat()).toMatchObject({ isSuccess: false });
    const next = await agentAt(2, renewed);
    await expectLeft(device, former, true);
    expect(next.calls.length).toBeGreaterThan(20);
  });

  it('gives the agent of a device that was deleted no call any more', async () => {
    const device = await register();
    const former = await agentAt(1, device);
    await callWithoutPause(device, former);
    expect((await nodes.node(0).client().delete(`/api/v1/devices/${device.id}`)).status).toBe(204);
    await expectLeft(device, former, false);
  });

  describe('of a key that waits', () => {
    let device: KeyedDevice;
    let former: Noting;
    let renewed: KeyedDevice;
    let next: Noting;

    const approve = async ({ id, publicKey }: KeyedDevice): Promise<void> => {
      const body = { fingerprint: fingerprintOf(publicKey) };
      expect((await nodes.node(0).client().post(`/api/v1/devices/${id}/key-approval`, { body })).status).toBe(200);
    };

    beforeEach(async () => {
      const body = { name: 'require-approval-for-new-device-keys', value: 'true' };
      await nodes
        .node(0)
        .client()
        .post('/api/v1/tenant-settings', { query: { tenantId: enrolment.tenantId }, body });
      device = await register();
      former = await agentAt(1, device);
      renewed = await registerAgain(device);
      next = await agentAt(2, renewed);
      await callWithoutPause(device, former);
      expect(next.calls).toEqual([]);
    });

    it('gives the device to the agent whose key was approved', async () => {
      // The service asks it to report when it is reached from now on.
      next.agent.on(agentClient.RefreshDeviceInfo, () => void next.agent.heartbeat());
      await approve(renewed);
      await expectLeft(device, former, true);
      expect(next.calls.length).toBeGreaterThan(20);
    });

    it('leaves the device to its agent when the key was refused', async () => {
      expect((await nodes.node(0).client().delete(`/api/v1/devices/${device.id}/key-approval`)).status).toBe(204);
      for (const viewer of viewers) expect(await open(viewer, device)).toBe(true);
      await eventually('its reports are refused', async () => !(await next.agent.heartbeat()).isSuccess, WITHIN_MS);
      for (const viewer of viewers) expect(await open(viewer, device)).toBe(true);
      expect(next.calls).toEqual([]);
    });
  });

  describe('ends what a viewer has', () => {
    let device: KeyedDevice;
    let noting: Noting;
    let terminalId: string;

    beforeEach(async () => {
      device = await register();
      noting = await agentAt(2, device);
      terminalId = randomUUID();
    });

    async function use(viewer: TestViewer): Promise<void> {
      const request = { deviceId: device.id, terminalId };
      await eventually('the right is known', async () => (await viewer.call(viewerHub.CreateTerminalSession2, request)).isSuccess);
      await viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [device.id] });
    }

    const terminalCloses = (): Promise<void> => eventually('the terminal is closed', () => noting.closed.includes(terminalId), WITHIN_MS);

    it('when its right is taken', async () => {
      const { account, key } = await createServiceAccountWithKey(nodes.node(0), { tenantId: device.tenantId });
      const given: { readonly id: string }[] = [];
      for (const permission of [Permission.DeviceRead, Permission.DeviceTerminalUse])
        given.push(await grant(nodes.node(0), { principal: holder.serviceAccount(account), permission, scope: at.device(device) }));
      const viewer = await viewerAt(1, { 'x-api-key': key });
      const other = viewers[1];
      await use(viewer);
      await other.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [device.id] });
      await noting.agent.heartbeat({ cpuUtilization: 0.5 });
      for (const each of [viewer, other]) await eventually('the report is pushed', () => each.updates.at(-1)?.cpuUtilization === 0.5);
      for (const { id } of given) {
        const query = { tenantId: device.tenantId };
        expect((await nodes.node(0).client().delete(`/api/v1/permission-assignments/${id}`, { query })).status).toBe(204);
      }
      await terminalCloses();
      await noting.agent.heartbeat({ cpuUtilization: 0.75 });
      await eventually('others are told', () => other.updates.at(-1)?.cpuUtilization === 0.75);
      // An answer travels behind what was pushed before it.
      expect(await open(viewer, device)).toBe(false);
      expect(viewer.updates.at(-1)?.cpuUtilization).toBe(0.5);
    });

    it('when its session is ended', async () => {
      const user = await createPerson(nodes.node(0), { tenantId: device.tenantId });
      await grant(nodes.node(0), { principal: holder.user(user), permission: Permission.DeviceTerminalUse, scope: at.device(device) });
      const browser = await browserOf(nodes.node(0), user);
      const viewer = await viewerAt(1, { cookie: browser.cookieHeader, origin: nodes.node(1).url });
      await use(viewer);
      expect((await browser.post('/account/sign-out')).status).toBe(204);
      await eventually('the connection has ended', () => viewer.isClosed, WITHIN_MS);
      await terminalCloses();
    });
  });
});
