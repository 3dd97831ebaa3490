import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { agentClient, hubFailure, hubOk, viewerHub, type HubResult } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceActivityOutcome } from '../../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../../src/devices/device-activity/device-activity.entity.js';
import { RelayLimits } from '../../../src/live/relay/relay-limits.js';
import { createKeyedDevice, FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { newMeeting, RelayPeer, relayUri, type Meeting } from '../relay-peer.js';
import { callerWith, TestViewer, type Caller } from '../viewer-client.js';

/*
 * Attacks of a viewer on the record and the right of its own sessions: it chooses the session id and the address for the device, how both
 * are spelled, when the halves come, and what is asked for twice.
 */

const RIGHTS = [Permission.DeviceVncRelayConnect];
const OVER = { status: 403, body: 'The session is over. Ask for a new one.' };
const TAKEN = { isSuccess: false, reason: 'The sessionId is taken: choose a new one for each session.' };
const ENDED = { code: 1000, reason: 'Session ended.' };

/** Names of the session in the query of the device's address: the relay takes them all for the same one. */
const SPELLINGS: readonly [string, (id: string) => Readonly<Record<string, string | null>>][] = [
  ['as it is', (id) => ({ sessionId: id })],
  ['in upper case', (id) => ({ sessionId: id.toUpperCase() })],
  ['with spaces', (id) => ({ sessionId: ` ${id} ` })],
  ['by another name', (id) => ({ sessionId: null, SESSIONID: id })],
];

describe('a viewer that chooses what it likes', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();
  let device: KeyedDevice;
  let other: KeyedDevice;
  let agent: FakeAgent;
  let caller: Caller;
  let viewer: TestViewer;
  /** The addresses that the device was given. */
  let asked: string[];

  beforeAll(async () => {
    device = await createKeyedDevice(server, tenant);
    other = await createKeyedDevice(server, tenant);
    agent = server.alsoStop(await FakeAgent.online(server, device));
    const second = server.alsoStop(await FakeAgent.online(server, other));
    second.on(agentClient.CreateVncSession, ({ websocketUri }) => (asked.push(websocketUri), hubOk()));
  });

  beforeEach(async () => {
    asked = [];
    agent.on(agentClient.CreateVncSession, ({ websocketUri }) => (asked.push(websocketUri), hubOk()));
    caller = await callerWith(server, tenant, RIGHTS, at.tenant(tenant));
    viewer = keep(await TestViewer.connect(server, caller.headers));
  });

  const limits = (): RelayLimits => server.app.get(RelayLimits, { strict: false });
  afterEach(() => Object.assign(limits(), new RelayLimits()));

  const ask = (meeting: Meeting, websocketUri = relayUri(server, meeting, 'responder'), deviceId = device.id): Promise<HubResult> =>
    viewer.call(viewerHub.RequestVncSession2, {
      sessionId: meeting.sessionId,
      websocketUri,
      viewerConnectionId: '',
      deviceId,
      notifyUserOnSessionStart: false,
      viewerName: null,
      port: 5901,
    });
  const requester = (meeting: Meeting, changes: Readonly<Record<string, string | null>> = {}): RelayPeer =>
    keep(new RelayPeer(relayUri(server, meeting, 'requester', changes), caller.headers));
  const responder = (uri: string): RelayPeer => keep(new RelayPeer(uri));
  const withdraw = (): Promise<unknown> =>
    server.dataSource.query('DELETE FROM permission_assignments WHERE principal_id = $1', [caller.account.id]);
  const recordsOf = ({ sessionId }: Meeting): Promise<DeviceActivity[]> =>
    server.dataSource.manager.findBy(DeviceActivity, { subject: sessionId });

  async function recordOf(meeting: Meeting): Promise<DeviceActivity> {
    await eventually('the record is completed', async () => (await recordsOf(meeting))[0]?.endedAt != null);
    const records = await recordsOf(meeting);
    expect(records).toHaveLength(1);
    return records[0];
  }

  describe.each(SPELLINGS)('names the session in the address %s', (_how, spelled) => {
    it.each(['first', 'second'])('and comes %s to the relay: the session has its record, and ends with its right', async (order) => {
      const meeting = newMeeting();
      const uri = relayUri(server, meeting, 'responder', spelled(meeting.sessionId));
      const early = order === 'first' ? requester(meeting, { timeout: '0' }) : undefined;
      expect(await ask(meeting, uri)).toMatchObject({ isSuccess: true });
      expect(asked).toEqual([uri]);
      const device1 = responder(asked[0]);
      const peer = await (early ?? requester(meeting)).opened();
      (await device1.opened()).socket.send('from the device');
      await peer.receive(1);
      // A caller that asks again, or comes third, changes nothing.
      expect(await ask(meeting, uri)).toMatchObject(TAKEN);
      expect(await ask(meeting, uri, other.id)).toMatchObject(TAKEN);
      expect((await requester(meeting).refusal()).status).toBe(400);
      expect((await responder(uri).refusal()).status).toBe(400);
      expect(asked).toHaveLength(1);
      await withdraw();
      expect([await peer.end(), await device1.end()]).toEqual([ENDED, ENDED]);
      expect(await recordOf(meeting)).toMatchObject({ deviceId: device.id, outcome: DeviceActivityOutcome.Completed, bytesOut: '15' });
      expect(await responder(uri).refusal()).toMatchObject(OVER);
    });
  });

  it.each([
    ['of another host', (uri: string) => uri.replace(/\/\/[^/]+/, '//evil.example')],
    ['of another port', (uri: string) => uri.replace(/:\d+\//, ':1/')],
    ['of another path', (uri: string) => uri.replace('/relay?', '/hubs/agent?')],
    ['of the viewer itself', (uri: string) => uri.replace('role=responder', 'role=requester')],
    ['of another session', (uri: string) => uri.replace(/sessionId=[^&]+/, `sessionId=${newMeeting().sessionId}`)],
    ['that is empty', () => ''],
  ])('an address %s is refused, and the device is not asked', async (_what, change) => {
    const meeting = newMeeting();
    const { isSuccess, reason } = await ask(meeting, change(relayUri(server, meeting, 'responder')));
    expect([isSuccess, reason]).toEqual([false, expect.stringContaining('websocketUri')]);
    expect([asked, await recordsOf(meeting)]).toEqual([[], []]);
    expect(await ask(meeting)).toMatchObject({ isSuccess: true });
  });

  it('a half that waits longer than the booking is turned away, and so are those that come later', async () => {
    Object.assign(limits(), { meetingMs: 100 });
    const meeting = newMeeting();
    const early = requester(meeting, { timeout: '0' });
    expect(await ask(meeting)).toMatchObject({ isSuccess: true });
    expect(await early.refusal()).toMatchObject(OVER);
    expect(await recordOf(meeting)).toMatchObject({ outcome: DeviceActivityOutcome.Failed, bytesIn: '0' });
    for (const late of [responder(asked[0]), requester(meeting)]) expect(await late.refusal()).toMatchObject(OVER);
    expect(await ask(meeting)).toMatchObject(TAKEN);
    expect(asked).toHaveLength(1);
  });

  it('a session that the device refuses is over for all who wait for it', async () => {
    agent.on(agentClient.CreateVncSession, () => hubFailure('No VNC server.'));
    const meeting = newMeeting();
    const early = requester(meeting, { timeout: '0' });
    expect(await ask(meeting)).toMatchObject({ isSuccess: false, reason: 'No VNC server.' });
    expect(await early.refusal()).toMatchObject(OVER);
    expect(await responder(relayUri(server, meeting, 'responder')).refusal()).toMatchObject(OVER);
    expect(await ask(meeting, undefined, other.id)).toMatchObject(TAKEN);
  });

  it('a right that is withdrawn before the halves have met ends the session', async () => {
    const meeting = newMeeting();
    const early = requester(meeting, { timeout: '0' });
    expect(await ask(meeting)).toMatchObject({ isSuccess: true });
    await withdraw();
    expect(await early.refusal()).toMatchObject(OVER);
    expect(await responder(asked[0]).refusal()).toMatchObject(OVER);
    expect(await recordOf(meeting)).toMatchObject({ outcome: DeviceActivityOutcome.Failed });
  });

  it('the id of a pair that nobody has asked for cannot be booked while it lasts', async () => {
    const meeting = newMeeting();
    const halves = [responder(relayUri(server, meeting, 'responder')), requester(meeting)];
    for (const half of halves) await half.opened();
    expect(await ask(meeting)).toMatchObject(TAKEN);
    halves[0].socket.close();
    await halves[1].end();
    await eventually('the id is free', async () => (await ask(meeting)).isSuccess);
  });

  it('an account asks for so many sessions, and no more', async () => {
    Object.assign(limits(), { requestedOfPrincipal: 2, rememberedOfPrincipal: 3 });
    const refusal = { isSuccess: false, reason: 'This account has asked for too many sessions. Try again later.' };
    agent.on(agentClient.CreateVncSession, () => hubFailure('Busy.'));
    for (let count = 0; count < 2; count += 1) expect(await ask(newMeeting())).toMatchObject({ reason: 'Busy.' });
    agent.on(agentClient.CreateVncSession, () => hubOk());
    expect(await ask(newMeeting())).toMatchObject({ isSuccess: true });
    expect(await ask(newMeeting())).toMatchObject(refusal);
  });
});

describe.each([
  ['with a public address', { Service_AppOptions__PublicUrl: 'https://devices.example.org' }, 'devices.example.org', {}],
  [
    'without one, behind a proxy that ends TLS',
    { Service_AppOptions__KnownProxies: '127.0.0.1' },
    'called.example',
    { 'x-forwarded-host': 'called.example', 'x-forwarded-proto': 'https' },
  ],
  [
    'from a page that may call it',
    { Service_AppOptions__EnableCors: 'true', Service_AppOptions__CorsAllowedOrigins: 'https://pages.example' },
    'pages.example',
    {},
  ],
])('a service %s', (_how, env, host, called) => {
  const server = testServer(env);
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  it.each(['ws', 'wss'])('is joined by devices at its address (%s), which they get unchanged, and at no other', async (scheme) => {
    const device = await createKeyedDevice(server, tenant);
    const agent = keep(await FakeAgent.online(server, device));
    const asked: string[] = [];
    agent.on(agentClient.CreateVncSession, ({ websocketUri }) => (asked.push(websocketUri), hubOk()));
    const caller = await callerWith(server, tenant, RIGHTS, at.tenant(tenant));
    const viewer = keep(await TestViewer.connect(server, { ...caller.headers, ...(called as Record<string, string>) }));
    const meeting = newMeeting();
    const local = relayUri(server, meeting, 'responder');
    const ask = (websocketUri: string): Promise<HubResult> =>
      viewer.call(viewerHub.RequestVncSession2, {
        sessionId: meeting.sessionId,
        websocketUri,
        viewerConnectionId: '',
        deviceId: device.id,
        notifyUserOnSessionStart: false,
        viewerName: null,
        port: 5901,
      });
    const uri = local.replace(/^ws:\/\/[^/]+/, `${scheme}://${host}`);
    expect(await ask(uri.replace(host, 'evil.example'))).toMatchObject({ isSuccess: false });
    expect(await ask(uri)).toMatchObject({ isSuccess: true });
    expect(asked).toEqual([uri]);
    const half = keep(new RelayPeer(local));
    const peer = await keep(new RelayPeer(relayUri(server, meeting, 'requester'), caller.headers)).opened();
    (await half.opened()).socket.send('through the proxy');
    expect(String((await peer.receive(1))[0])).toBe('through the proxy');
  });
});
