import { beforeAll, describe, expect, it } from 'vitest';

import { agentClient, hubFailure, hubOk, viewerHub, type Encoding, type HubResult } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceActivityKind, DeviceActivityOutcome } from '../../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../../src/devices/device-activity/device-activity.entity.js';
import { RelayLimits } from '../../../src/live/relay/relay-limits.js';
import { RelaySessions } from '../../../src/live/relay/relay-sessions.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { createKeyedDevice, FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createPersonalAccessToken, createUser, grant, holder } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { newMeeting, rawPeer, RelayPeer, relayUri, untilHalfWaits, type Meeting } from '../relay-peer.js';
import { callerWith, TestViewer, type Caller } from '../viewer-client.js';

const RIGHTS = [Permission.DeviceRemoteControlConnect, Permission.DeviceVncRelayConnect, Permission.DeviceCtrlAltDelSend];

describe('sessions with a device', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const foreign = testTenant(server);
  const keep = stopAfterEach();
  let device: KeyedDevice;
  let agent: FakeAgent;
  let caller: Caller;

  beforeAll(async () => {
    device = await createKeyedDevice(server, tenant);
    agent = server.alsoStop(await FakeAgent.online(server, device));
    caller = await callerWith(server, tenant, RIGHTS, at.tenant(tenant));
  });

  const requestOf = (meeting: Meeting) => ({
    sessionId: meeting.sessionId,
    websocketUri: relayUri(server, meeting, 'responder'),
    viewerConnectionId: 'forged',
    deviceId: device.id,
    notifyUserOnSessionStart: true,
    viewerName: 'forged',
  });
  const vnc = (viewer: TestViewer, meeting: Meeting): Promise<HubResult> =>
    viewer.call(viewerHub.RequestVncSession2, { ...requestOf(meeting), port: 5901 });
  const requester = (meeting: Meeting, { headers }: Pick<Caller, 'headers'> = caller): RelayPeer =>
    keep(new RelayPeer(relayUri(server, meeting, 'requester'), headers));
  const connect = async (encoding?: Encoding): Promise<TestViewer> => keep(await TestViewer.connect(server, caller.headers, encoding));

  /** Makes the agent answer as agents do: it connects to the address that it was given. */
  function answerWithRelay(): RelayPeer[] {
    const peers: RelayPeer[] = [];
    agent.on(agentClient.CreateVncSession, ({ websocketUri }) => {
      peers.push(keep(new RelayPeer(websocketUri)));
      return hubOk();
    });
    return peers;
  }

  async function recordOf(meeting: Meeting): Promise<DeviceActivity> {
    let record: DeviceActivity | null = null;
    await eventually('the record is completed', async () => {
      record = await server.dataSource.manager.findOneBy(DeviceActivity, { subject: meeting.sessionId });
      return record?.endedAt != null;
    });
    return record as unknown as DeviceActivity;
  }

  it.each<Encoding>(['json', 'messagepack'])(
    'say who the viewer is, by its display name, whatever the viewer says (%s)',
    async (encoding) => {
      const user = await createUser(server, { tenantId: tenant.id });
      for (const permission of RIGHTS) await grant(server, { principal: holder.user(user), permission, scope: at.tenant(tenant) });
      const { key } = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
      const headers = { 'x-personal-token': key };
      const viewer = keep(await TestViewer.connect(server, headers, encoding));
      const asked: object[] = [];
      agent.on(agentClient.CreateRemoteControlSession, (dto) => (asked.push(dto), hubOk()));
      agent.on(agentClient.CreateVncSession, (dto) => (asked.push(dto), hubOk()));
      agent.on(agentClient.InvokeCtrlAltDel, (dto) => (asked.push(dto), hubOk()));
      const meeting = newMeeting();
      const remoteControl = { ...requestOf(meeting), targetSystemSession: 3, targetProcessId: 17, requireConsent: true };
      const facts = { viewerConnectionId: viewer.connectionId, viewerName: user.userName, notifyUserOnSessionStart: true };

      await viewer.call(viewerHub.RequestRemoteControlSession2, remoteControl);
      expect(asked.pop()).toEqual({ ...remoteControl, ...facts });

      const client = server.client(headers);
      const query = { tenantId: tenant.id };
      const preferences = { notifyUserOnSessionStart: false, userDisplayName: 'Anna B' };
      expect((await client.put('/api/v1/user-preferences', { query, body: preferences })).status).toBe(200);
      const named = { ...facts, viewerName: 'Anna B', notifyUserOnSessionStart: false };
      const second = requestOf(newMeeting());
      await viewer.call(viewerHub.RequestVncSession, device.id, { ...second, deviceId: newGuid(), port: 5901 });
      expect(asked.pop()).toEqual({ ...second, port: 5901, ...named });

      const setting = { query, body: { name: 'notify-user-on-session-start', value: 'true' } };
      expect((await server.client().post('/api/v1/tenant-settings', setting)).status).toBeLessThan(300);
      const third = { ...remoteControl, ...requestOf(newMeeting()) };
      await viewer.call(viewerHub.RequestRemoteControlSession2, third);
      expect(asked.pop()).toEqual({ ...third, ...named, notifyUserOnSessionStart: true });
      await server.client().delete('/api/v1/tenant-settings/notify-user-on-session-start', { query });

      await viewer.call(viewerHub.InvokeCtrlAltDel2, { deviceId: device.id, targetDesktopProcessId: 17, desktopSessionType: 1 });
      expect(asked.pop()).toEqual({ targetDesktopProcessId: 17, desktopSessionType: 1, invokerUserName: user.userName });
    },
  );

  it('leave a record that names the device and counts the bytes, from either order at the relay', async () => {
    for (const viewerFirst of [true, false]) {
      const devices = answerWithRelay();
      const meeting = newMeeting();
      const viewer = await connect();
      const early = viewerFirst ? requester(meeting) : undefined;
      expect(await vnc(viewer, meeting)).toMatchObject({ isSuccess: true });
      const peer = await (early ?? requester(meeting)).opened();
      const [other] = devices;
      await other.opened();
      peer.socket.send('twelve bytes');
      other.socket.send(Buffer.alloc(100_000));
      await Promise.all([other.receive(1), peer.receive(1)]);
      peer.socket.close();
      expect(await recordOf(meeting)).toMatchObject({
        kind: DeviceActivityKind.Vnc,
        tenantId: tenant.id,
        deviceId: device.id,
        principalId: caller.account.id,
        correlationId: viewer.connectionId,
        bytesIn: '12',
        bytesOut: '100000',
        outcome: DeviceActivityOutcome.Completed,
      });
    }
  });

  describe('have one record, which ends when', () => {
    interface Session {
      readonly meeting: Meeting;
      readonly viewer: TestViewer;
      readonly peer: RelayPeer;
      readonly other: RelayPeer;
    }
    const records = (meeting: Meeting): Promise<DeviceActivity[]> =>
      server.dataSource.manager.findBy(DeviceActivity, { subject: meeting.sessionId });

    async function begin(): Promise<Session> {
      const devices = answerWithRelay();
      const meeting = newMeeting();
      const viewer = await connect();
      expect(await vnc(viewer, meeting)).toMatchObject({ isSuccess: true });
      const peer = await requester(meeting).opened();
      const other = await devices[0].opened();
      await eventually('the record has begun', async () => (await records(meeting)).length > 0);
      expect(await records(meeting)).toMatchObject([{ endedAt: null, outcome: null }]);
      return { meeting, viewer, peer, other };
    }

    it.each<[string, (session: Session) => void]>([
      ['the viewer closes it', ({ peer }) => peer.socket.close()],
      ['the device closes it', ({ other }) => other.socket.close()],
      [
        'the browser vanishes',
        ({ viewer, peer }) => {
          viewer.vanish();
          peer.socket.terminate();
        },
      ],
      ['the agent vanishes', ({ other }) => other.socket.terminate()],
    ])('%s', async (_when, end) => {
      const session = await begin();
      server.clock.advance(1_000);
      const from = server.clock.milliseconds();
      end(session);
      await recordOf(session.meeting);
      const [record, ...more] = await records(session.meeting);
      expect([record.outcome, more]).toEqual([DeviceActivityOutcome.Completed, []]);
      expect(record.endedAt?.getTime()).toBeGreaterThanOrEqual(from);
    });

    it('one of them neither sends nor answers any more, as a failed one', async () => {
      const meeting = newMeeting();
      agent.on(agentClient.CreateVncSession, ({ websocketUri }) => {
        void rawPeer(websocketUri).then((socket) => keep({ stop: async () => void socket.destroy() }));
        return hubOk();
      });
      expect(await vnc(await connect(), meeting)).toMatchObject({ isSuccess: true });
      const peer = await requester(meeting).opened();
      for (let look = 0; look <= new RelayLimits().looksUntilGone; look += 1) {
        for (const { app } of server.nodes) app.get(RelaySessions, { strict: false }).look();
      }
      await peer.end();
      expect(await recordOf(meeting)).toMatchObject({ outcome: DeviceActivityOutcome.Failed });
      expect(await records(meeting)).toHaveLength(1);
    });
  });

  it('leave a failed record when the device refuses', async () => {
    agent.on(agentClient.CreateVncSession, () => hubFailure('No VNC server.'));
    const meeting = newMeeting();
    expect(await vnc(await connect(), meeting)).toMatchObject({ isSuccess: false, reason: 'No VNC server.' });
    expect(await recordOf(meeting)).toMatchObject({ kind: DeviceActivityKind.Vnc, outcome: DeviceActivityOutcome.Failed });
  });

  it('are joined by the account that asked for them, and by no other, of the tenant or of another', async () => {
    const colleague = await callerWith(server, tenant, RIGHTS, at.tenant(tenant));
    const stranger = await callerWith(server, foreign, RIGHTS, at.tenant(foreign));
    const devices = answerWithRelay();
    const meeting = newMeeting();
    // It knows the session before the hub does, and is turned away when the device comes.
    const early = requester(meeting, stranger);
    const viewer = await connect();
    await untilHalfWaits(server, meeting);
    expect(await vnc(viewer, meeting)).toMatchObject({ isSuccess: true });
    expect(await early.refusal()).toMatchObject({ status: 403, body: 'Another account has asked for this session.' });
    for (const other of [colleague, stranger]) expect((await requester(meeting, other).refusal()).status).toBe(403);
    const [other] = devices;
    expect(other.isAnswered).toBe(false);
    const peer = await requester(meeting).opened();
    (await other.opened()).socket.send('for the right one');
    expect(String(await peer.receive(1))).toBe('for the right one');
  });

  it('find room for their device, however many unexpected peers wait', async () => {
    const limits = server.app.get(RelayLimits, { strict: false });
    Object.assign(limits, { unexpectedResponders: 0, unexpectedRespondersOfAddress: 0 });
    try {
      expect((await keep(new RelayPeer(relayUri(server, newMeeting(), 'responder'))).refusal()).status).toBe(503);
      const devices = answerWithRelay();
      const meeting = newMeeting();
      expect(await vnc(await connect(), meeting)).toMatchObject({ isSuccess: true });
      await requester(meeting).opened();
      await devices[0].opened();
    } finally {
      Object.assign(limits, new RelayLimits());
    }
  });

  it('end when the right that carries them does', async () => {
    const { account, headers } = await callerWith(server, tenant, [Permission.DeviceVncRelayConnect], at.tenant(tenant));
    const devices = answerWithRelay();
    const meeting = newMeeting();
    const viewer = keep(await TestViewer.connect(server, headers));
    expect(await vnc(viewer, meeting)).toMatchObject({ isSuccess: true });
    const peer = await requester(meeting, { headers }).opened();
    await devices[0].opened();
    await server.dataSource.query('DELETE FROM permission_assignments WHERE principal_id = $1', [account.id]);
    expect([await peer.end(), await devices[0].end()]).toEqual([
      { code: 1000, reason: 'Session ended.' },
      { code: 1000, reason: 'Session ended.' },
    ]);
  });
});
