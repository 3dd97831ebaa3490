import { beforeAll, describe, expect, it } from 'vitest';

import { agentClient, hubOk, viewerHub, type HubResult } from '#libs/contracts';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { DeviceActivity } from '../../src/devices/device-activity/device-activity.entity.js';
import { DeviceActivityKind, DeviceActivityOutcome } from '../../src/devices/device-activity/device-activity-kinds.js';
import { PassingLimits } from '../../src/live/nodes/bytes/passing-limits.js';
import { RelayEndpoint } from '../../src/live/relay/relay-endpoint.js';
import { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { newMeeting, rawPeer, RelayPeer, relayUri, type Meeting } from '../hubs/relay-peer.js';
import { callerWith, TestViewer, type Caller } from '../hubs/viewer-client.js';
import { createKeyedDevice, FakeAgent, type KeyedDevice } from '../support/devices/agents.js';
import { eventually, settled } from '../support/eventually.js';
import { at, createTenant } from '../support/fixtures/factories.js';
import { stopAfterEach } from '../support/setup/test-server.js';
import { noNats } from './support/nats-server.js';
import { testNodes } from './support/test-nodes.js';

const RIGHTS = [Permission.DeviceRemoteControlConnect, Permission.DeviceVncRelayConnect];
const NUMBERS = [0, 1, 2];

describe.skipIf(noNats !== undefined)('the relay of several nodes', () => {
  const nodes = testNodes(3);
  const keep = stopAfterEach();
  const tenant = new Tenant();
  let device: KeyedDevice;
  let agent: FakeAgent;
  let caller: Caller;
  let another: Caller;

  beforeAll(async () => {
    Object.assign(tenant, await createTenant(nodes.node(0)));
    device = await createKeyedDevice(nodes.node(0), tenant);
    agent = nodes.node(0).alsoStop(await FakeAgent.online(nodes.node(2), device));
    [caller, another] = await Promise.all([1, 2].map(() => callerWith(nodes.node(0), tenant, RIGHTS, at.tenant(tenant))));
  });

  const requester = (node: number, meeting: Meeting, { headers } = caller, changes = {}): RelayPeer =>
    keep(new RelayPeer(relayUri(nodes.node(node), meeting, 'requester', changes), headers));
  const responder = (node: number, meeting: Meeting, changes = {}): RelayPeer =>
    keep(new RelayPeer(relayUri(nodes.node(node), meeting, 'responder', changes)));
  const viewerAt = async (node: number): Promise<TestViewer> => keep(await TestViewer.connect(nodes.node(node), caller.headers));

  /** A viewer asks at a node for a session, whose half of the device the test brings. */
  async function ask(node: number, meeting: Meeting): Promise<HubResult> {
    agent.on(agentClient.CreateVncSession, () => hubOk());
    return (await viewerAt(node)).call(viewerHub.RequestVncSession2, {
      sessionId: meeting.sessionId,
      websocketUri: relayUri(nodes.node(node), meeting, 'responder'),
      viewerConnectionId: '',
      deviceId: device.id,
      notifyUserOnSessionStart: false,
      viewerName: '',
      port: 5_901,
    });
  }

  async function untilAtHome({ sessionId }: Meeting): Promise<void> {
    await eventually('the half waits', async () => (await rowsOf(sessionId)).length === 1);
  }

  const rowsOf = (session: string): Promise<object[]> =>
    nodes.node(0).dataSource.query('SELECT is_requested AS "isRequested" FROM relay_places WHERE session = $1', [session]);

  const recordsOf = ({ sessionId }: Meeting): Promise<DeviceActivity[]> =>
    nodes.node(0).dataSource.manager.findBy(DeviceActivity, { subject: sessionId });

  /** Checks that bytes go both ways. */
  async function expectConnected(viewer: RelayPeer, peer: RelayPeer): Promise<void> {
    await eventually('both are answered', () => viewer.isAnswered && peer.isAnswered);
    viewer.socket.send('from the viewer');
    peer.socket.send('from the device');
    await eventually('both have read', () => viewer.messages.length === 1 && peer.messages.length === 1);
    expect([String(viewer.messages[0]), String(peer.messages[0])]).toEqual(['from the device', 'from the viewer']);
  }

  it.each(NUMBERS.flatMap((first) => NUMBERS.map((second) => [first, second] as const)))(
    'connects halves that arrive at nodes %i and %i',
    async (first, second) => {
      const meeting = newMeeting();
      const viewer = requester(first, meeting);
      await untilAtHome(meeting);
      const peer = responder(second, meeting);
      await expectConnected(viewer, peer);
      viewer.socket.close();
      await eventually('the other side ends', () => peer.closed !== undefined);
      await eventually('its id is free', async () => (await rowsOf(meeting.sessionId)).length === 0);
    },
  );

  it('connects halves that arrive at two nodes at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const meeting = newMeeting();
      const [viewer, peer] = [requester(0, meeting), responder(1, meeting)];
      await expectConnected(viewer, peer);
      viewer.socket.close();
    }
  });

  it('refuses a wrong token and a role that is taken at another node, and the half that waits does not notice', async () => {
    const meeting = newMeeting();
    const viewer = requester(0, meeting);
    await untilAtHome(meeting);
    const wrong = responder(1, { ...meeting, accessToken: 'another-token' });
    expect((await wrong.refusal()).status).toBe(401);
    expect((await requester(2, meeting).refusal()).status).toBe(400);
    await expectConnected(viewer, responder(1, meeting));
  });

  it('passes a half on no more that does not read, once its session is over', async () => {
    const limits = nodes.node(1).app.get(PassingLimits, { strict: false });
    Object.assign(limits, { spliced: 1, standstillMs: 500 });
    const [meeting, next] = [newMeeting(), newMeeting()];
    // They wait longer than a busy machine takes for the rest.
    const [viewer, nextViewer] = [meeting, next].map((each) => requester(0, each, caller, { timeout: '1000' }));
    await Promise.all([untilAtHome(meeting), untilAtHome(next)]);
    const silent = await rawPeer(relayUri(nodes.node(1), meeting, 'responder', { timeout: '1000' }));
    try {
      await viewer.opened();
      for (let part = 0; part < 40; part += 1) viewer.socket.send(Buffer.alloc(1_048_576));
      expect(await settled('what waits for it', () => viewer.socket.bufferedAmount)).toBeGreaterThan(0);
      viewer.socket.terminate();
      await eventually('another half is passed on', async () => {
        const peer = responder(1, next);
        await eventually('it is answered', () => peer.isAnswered);
        return peer.isOpen;
      });
      await nextViewer.opened();
    } finally {
      silent.destroy();
      Object.assign(limits, new PassingLimits());
    }
  });

  it('answers 408 where a half arrives when no partner comes, and leaves nothing behind', async () => {
    const meeting = newMeeting();
    expect((await requester(1, meeting, caller, { timeout: '1' }).refusal()).status).toBe(408);
    await eventually('its id is free', async () => (await rowsOf(meeting.sessionId)).length === 0);
  });

  it('knows at every node who has asked: one record with the device, and nobody else may join', async () => {
    const meeting = newMeeting();
    expect(await ask(0, meeting)).toMatchObject({ isSuccess: true });
    expect((await requester(1, meeting, another).refusal()).status).toBe(403);
    const [viewer, peer] = [requester(1, meeting), responder(2, meeting)];
    await expectConnected(viewer, peer);
    viewer.socket.close();
    await eventually('the record is complete', async () => (await recordsOf(meeting))[0]?.endedAt != null);
    expect(await recordsOf(meeting)).toMatchObject([
      { deviceId: device.id, kind: DeviceActivityKind.Vnc, outcome: DeviceActivityOutcome.Completed },
    ]);
  });

  it('takes a half along that came first, to the node where its session is asked for', async () => {
    const meeting = newMeeting();
    const viewer = requester(1, meeting);
    await untilAtHome(meeting);
    expect(await ask(0, meeting)).toMatchObject({ isSuccess: true });
    await expectConnected(viewer, responder(2, meeting));
    expect(await rowsOf(meeting.sessionId)).toEqual([{ isRequested: true }]);
    expect(await recordsOf(meeting)).toMatchObject([{ deviceId: device.id }]);
  });

  it('keeps the id of a requested session closed at every node, while it runs and when it is over', async () => {
    const meeting = newMeeting();
    await ask(0, meeting);
    expect(await ask(1, meeting)).toMatchObject({ isSuccess: false, reason: expect.stringContaining('is taken') });
    const [viewer, peer] = [requester(1, meeting), responder(1, meeting)];
    await expectConnected(viewer, peer);
    expect((await responder(2, meeting).refusal()).status).toBe(400);
    viewer.socket.close();
    await eventually('the record is complete', async () => (await recordsOf(meeting))[0]?.endedAt != null);
    expect((await responder(2, meeting).refusal()).status).toBe(403);
    expect(await ask(2, meeting)).toMatchObject({ isSuccess: false, reason: expect.stringContaining('is taken') });
  });

  it('asks no device for a session at a node that is about to stop and takes no halves', async () => {
    const stopping = await nodes.node(0).startBeside();
    keep({ stop: () => stopping.app.close() });
    const viewer = keep(await TestViewer.connect(stopping, caller.headers));
    const meeting = newMeeting();
    let asked = 0;
    agent.on(agentClient.CreateVncSession, () => {
      asked += 1;
      return hubOk();
    });
    const request = {
      sessionId: meeting.sessionId,
      websocketUri: relayUri(stopping, meeting, 'responder'),
      viewerConnectionId: '',
      deviceId: device.id,
      notifyUserOnSessionStart: false,
      viewerName: '',
      port: 5_901,
    };
    await stopping.app.get(RelayEndpoint, { strict: false }).close(0);
    expect(await viewer.call(viewerHub.RequestVncSession2, request)).toMatchObject({
      isSuccess: false,
      reason: 'The server is restarting. Try again in a moment.',
    });
    expect(asked).toBe(0);
    expect(await rowsOf(meeting.sessionId)).toEqual([]);
    expect(await ask(1, meeting)).toMatchObject({ isSuccess: true });
  });

  it('refuses to ask for a session whose halves are connected at another node already', async () => {
    const meeting = newMeeting();
    const viewer = requester(1, meeting);
    await untilAtHome(meeting);
    const peer = responder(1, meeting);
    await expectConnected(viewer, peer);
    expect(await ask(0, meeting)).toMatchObject({ isSuccess: false, reason: expect.stringContaining('is taken') });
    viewer.socket.send('still there');
    await eventually('the session goes on', () => peer.messages.length === 2);
  });
});
