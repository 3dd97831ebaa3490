import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { agentClient, hubFailure, hubOk, viewerHub } from '#libs/contracts';

import { Permission, type PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceActivityKind } from '../../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../../src/devices/device-activity/device-activity.entity.js';
import { RelayLimits } from '../../../src/live/relay/relay-limits.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { whileWaiting } from '../../support/callers/while-waiting.js';
import { createKeyedDevice, FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { read, vector, vectorBytes, write } from '../desktop-stream-messages.js';
import { newMeeting } from '../relay-peer.js';
import { isMarker, isNews, marker, news, RemoteControl, type RemoteControlSession } from '../remote-control-session.js';
import { callerWith, TestViewer } from '../viewer-client.js';

const INTERACT = Permission.DeviceRemoteControlInteract;
const READ = Permission.DeviceClipboardRead;
const WRITE = Permission.DeviceClipboardWrite;
const BLOCK = Permission.DeviceRemoteControlBlockInput;
const ALL = [INTERACT, READ, WRITE, BLOCK];
const ACK = 39;
const TOAST = 44;

/** The permission that a viewer needs for each message, written by hand. Messages that are not named are for agents only. */
const RIGHT_TO_SEND: Readonly<Record<string, PermissionDefinition | null>> = {
  ChangeDisplays: null,
  CloseRemoteControlSession: null,
  Ack: null,
  RequestKeyFrame: null,
  UpdateCaptureSettings: null,
  MovePointer: INTERACT,
  MouseButtonEvent: INTERACT,
  KeyEvent: INTERACT,
  TypeText: INTERACT,
  ResetKeyboardState: INTERACT,
  WheelScroll: INTERACT,
  MouseClick: INTERACT,
  ClipboardText: WRITE,
  RequestClipboardText: READ,
  ToggleBlockInput: BLOCK,
  TogglePrivacyScreen: BLOCK,
};

const NAMES = [...vectorBytes.keys()];

describe('the rights within a remote control session', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();
  let device: KeyedDevice;
  let agent: FakeAgent;
  let remoteControl: RemoteControl;

  const limit = (limits: Partial<RelayLimits>): void => {
    for (const { app } of server.nodes) Object.assign(app.get(RelayLimits, { strict: false }), limits);
  };

  afterEach(() => limit(new RelayLimits()));

  beforeAll(async () => {
    device = await createKeyedDevice(server, tenant);
    agent = server.alsoStop(await FakeAgent.online(server, device));
    remoteControl = new RemoteControl(server, agent, keep);
  });

  async function begin(permissions: readonly PermissionDefinition[], requireConsent = false): Promise<RemoteControlSession> {
    const caller = await callerWith(server, tenant, [Permission.DeviceRemoteControlConnect, ...permissions], at.tenant(tenant));
    return remoteControl.begin(caller, { requireConsent });
  }

  const takeAway = (session: RemoteControlSession, permission: PermissionDefinition): Promise<unknown> =>
    server.dataSource.query('DELETE FROM permission_assignments WHERE principal_id = $1 AND permission_name = $2', [
      session.caller.account.id,
      permission.name,
    ]);

  /** The outcome of a message: passed to the device, or dropped and acknowledged by the relay. */
  async function outcomeOf({ viewer, desktop }: RemoteControlSession, name: string): Promise<'passed' | 'dropped'> {
    viewer.send(vector(name), marker(1n));
    const arrived = await desktop.until(isMarker(1n));
    desktop.send(news(2n));
    const answers = (await viewer.until(isNews(2n))).filter(({ type }) => type === ACK);
    if (arrived.length === 1) {
      expect(arrived[0].bytes.equals(vector(name))).toBe(true);
      expect(answers).toEqual([]);
      return 'passed';
    }
    expect(arrived).toEqual([]);
    const { time, bytes } = read(vector(name));
    expect(answers.map(({ payload }) => payload)).toEqual([{ ReceivedSize: bytes.length, SendTimestamp: time }]);
    return 'dropped';
  }

  it.each<readonly [string, readonly PermissionDefinition[]]>([
    ['all rights', ALL],
    ['no right but the session', []],
    ...ALL.map((permission) => [`${permission.name} alone`, [permission]] as const),
    ...ALL.map((permission) => [`all but ${permission.name}`, ALL.filter((each) => each !== permission)] as const),
  ])('decide about every message of a viewer with %s', async (_what, held) => {
    const session = await begin(held);
    for (const name of NAMES) {
      const right = RIGHT_TO_SEND[name];
      const mayPass = right === null || (right !== undefined && held.includes(right));
      expect([name, await outcomeOf(session, name)]).toEqual([name, mayPass ? 'passed' : 'dropped']);
    }
  });

  it.each(ALL.map((permission) => [permission.name, permission] as const))(
    'end for the messages that need %s when it is taken away',
    async (_name, permission) => {
      const session = await begin(ALL);
      const names = NAMES.filter((name) => RIGHT_TO_SEND[name] === permission && name !== 'ResetKeyboardState');
      expect(names.length).toBeGreaterThan(0);
      await takeAway(session, permission);
      const [, told] = [await session.viewer.until(({ type }) => type === TOAST), session.viewer.peer.messages.at(-1)];
      expect(told && read(told).payload).toMatchObject({ Severity: 1, Message: expect.stringMatching(/^You can/) as string });
      for (const name of names) {
        session.viewer.send(vector(name), marker(5n));
        const arrived = await session.desktop.until(isMarker(5n));
        expect(arrived.filter(({ bytes }) => bytes.equals(vector(name)))).toEqual([]);
      }
      // Everything else goes on.
      session.viewer.send(vector('UpdateCaptureSettings'), marker(6n));
      expect((await session.desktop.until(isMarker(6n))).map(({ type }) => type)).toEqual([51]);
    },
  );

  it('withhold the clipboard of the device, however its bytes come', async () => {
    const session = await begin(ALL.filter((permission) => permission !== READ));
    const text = vector('ClipboardText');
    const long = write(21, { Text: 'x'.repeat(300_000), SessionId: '00112233-4455-6677-8899-aabbccddeeff' }, 9n);
    session.desktop.send(text);
    session.desktop.sendInPieces(text, 1);
    session.desktop.sendInPieces(long, 100_000);
    session.desktop.send(news(1n));
    expect(await session.viewer.until(isNews(1n))).toEqual([]);
    session.viewer.send(marker(1n));
    const acks = (await session.desktop.until(isMarker(1n))).map(({ payload }) => payload.ReceivedSize);
    expect(acks).toEqual([text.length, text.length, long.length]);
  });

  it('let the clipboard of the device through to a viewer that may read it, and everything else to every viewer', async () => {
    for (const held of [ALL, []]) {
      const session = await begin(held);
      const fromAgents = ['DisplayData', 'ScreenRegions', 'CursorChanged', 'VideoStreamPacket', 'Ack', 'RemoteControlSessionError'];
      const names = held.length > 0 ? [...fromAgents, 'ClipboardText'] : fromAgents;
      session.desktop.send(...names.map(vector), news(3n));
      const region = vector('ScreenRegion');
      session.desktop.peer.socket.send(new Uint8Array(), { fin: false });
      session.desktop.sendInPieces(region, 1);
      session.desktop.send(news(4n));
      expect((await session.viewer.until(isNews(3n))).map(({ bytes }) => bytes.toString('hex'))).toEqual(
        names.map((name) => vector(name).toString('hex')),
      );
      expect((await session.viewer.until(isNews(4n))).map(({ bytes }) => bytes.equals(region))).toEqual([true]);
    }
  });

  it('tell the viewer once what it cannot do, and keep its acknowledgement from the device', async () => {
    const session = await begin([]);
    session.viewer.send(vector('MovePointer'), vector('MovePointer'), vector('KeyEvent'), marker(1n));
    await session.desktop.until(isMarker(1n));
    session.desktop.send(news(1n));
    const toasts = (await session.viewer.until(isNews(1n))).filter(({ type }) => type === TOAST);
    expect(toasts.map(({ payload }) => payload.Message)).toEqual(['You can see this desktop, but not control it.']);
    const [toast] = toasts;
    session.viewer.send(write(ACK, { ReceivedSize: toast.bytes.length, SendTimestamp: toast.time }), vector('Ack'), marker(2n));
    expect((await session.desktop.until(isMarker(2n))).map(({ bytes }) => bytes.equals(vector('Ack')))).toEqual([true]);
  });

  it.each([
    ['the right to control', INTERACT],
    ['the right to the session', Permission.DeviceRemoteControlConnect],
  ])('release keys and buttons that are down when %s ends', async (_what, permission) => {
    const session = await begin(ALL);
    session.viewer.send(vector('KeyEvent'), vector('MouseButtonEvent'), marker(1n));
    await session.desktop.until(isMarker(1n));
    await takeAway(session, permission);
    const released = await session.desktop.until(({ type }) => type === 30);
    expect(released.map(({ type, payload }) => [type, payload])).toEqual([
      [27, { Button: 2, IsPressed: false, NormalizedX: 0.25, NormalizedY: 0.5 }],
    ]);
    if (permission !== INTERACT) return expect(await session.desktop.peer.end()).toMatchObject({ code: 1000 });
    // The device acknowledges what the viewer has not sent.
    for (const bytes of session.desktop.peer.messages.slice(-2)) {
      session.desktop.send(write(ACK, { ReceivedSize: bytes.length, SendTimestamp: read(bytes).time }));
    }
    session.desktop.send(vector('Ack'), news(7n));
    const acks = (await session.viewer.until(isNews(7n))).filter(({ type }) => type === ACK);
    expect(acks.map(({ bytes }) => bytes.equals(vector('Ack')))).toEqual([true]);
  });

  it('release the keys of a viewer that vanishes', async () => {
    const session = await begin(ALL);
    session.viewer.send(vector('KeyEvent'), marker(1n));
    await session.desktop.until(isMarker(1n));
    session.viewer.peer.socket.terminate();
    expect(await session.desktop.until(({ type }) => type === 30)).toEqual([]);
  });

  it.each<[string, number, string, () => readonly Uint8Array[]]>([
    ['another order of its keys', 1007, 'The relay cannot read a message of the viewer.', () => [reordered()]],
    ['a key that comes twice', 1007, 'The relay cannot read a message of the viewer.', () => [doubled()]],
    ['bytes after its end', 1007, 'The relay cannot read a message of the viewer.', () => [Buffer.concat([marker(1n), Buffer.of(0)])]],
    ['no MessagePack', 1007, 'The relay cannot read a message of the viewer.', () => [Buffer.from('hello')]],
    ['more bytes than a message has', 1009, 'A message of the viewer is too long.', () => [write(26, { X: 'x'.repeat(70_000) })]],
    ['more text than a message has', 1009, 'A message of the viewer is too long.', () => [write(29, { Text: 'x'.repeat(1_100_000) })]],
  ])('end a session whose viewer sends %s', async (_what, code, reason, messages) => {
    const session = await begin(ALL);
    session.viewer.send(...messages());
    expect(await session.viewer.peer.end()).toEqual({ code, reason });
    expect(await session.desktop.peer.end()).toMatchObject({ code: 1000 });
    expect(session.desktop.peer.messages.filter(({ length }) => length > 0)).toEqual([]);
  });

  it('pass text of up to a mebibyte on, in any fragments', async () => {
    const session = await begin(ALL);
    const text = write(29, { Text: 'ß'.repeat(500_000) });
    session.viewer.peer.socket.send(text.subarray(0, 5), { fin: false });
    session.viewer.sendInPieces(text.subarray(5), 150_000);
    session.viewer.send(new Uint8Array(), marker(1n));
    expect((await session.desktop.until(isMarker(1n))).map(({ bytes }) => bytes.equals(text))).toEqual([true]);
  });

  it('cost a viewer that reads no answers its messages, not the memory of the service', async () => {
    const session = await begin([]);
    const { socket } = session.viewer.peer;
    socket.pause();
    const before = process.memoryUsage().rss;
    for (let sent = 0; sent < 200_000 && socket.bufferedAmount < 4_000_000; sent += 1) socket.send(vector('MovePointer'));
    await eventually('the relay reads no more', () => socket.bufferedAmount > 0);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20);
    socket.resume();
    await eventually('the relay reads on', () => socket.bufferedAmount === 0);
    session.viewer.send(marker(1n));
    await session.desktop.until(isMarker(1n));
  });

  interface Running {
    readonly id: string;
    readonly kind: string;
  }

  it('are listed while it runs, and it can be ended by a user who may restart the device', async () => {
    const session = await begin([]);
    const manager = await callerWith(server, tenant, [Permission.DeviceOverviewRead, Permission.DevicePowerManage], at.tenant(tenant));
    const client = server.client(manager.headers);
    const path = `/api/inventory/devices/${device.id}/sessions`;
    const running = async (): Promise<readonly Running[]> => (await client.get(path)).as<{ readonly items: readonly Running[] }>().items;
    const { id } = await recordOf(session);
    // Sessions of earlier tests may be about to end.
    const listed = (await running()).find((each) => each.id === id);
    expect(listed).toMatchObject({
      kind: 'RemoteControl',
      principalName: session.caller.account.name,
      isOwn: false,
      desktopSession: 1,
      isViewOnly: true,
      canBeEnded: true,
    });
    expect((await server.client(session.caller.headers).delete(`${path}/${id}`)).status).toBe(403);
    expect((await client.delete(`${path}/${id}`)).status).toBe(204);
    const told = session.viewer.until(({ type }) => type === 49);
    expect(await session.viewer.peer.end()).toEqual({ code: 1000, reason: 'Session ended.' });
    await told;
    expect(read(session.viewer.peer.messages.at(-1) as Buffer).payload).toEqual({
      Message: 'Another user ended this session.',
      IsFatal: true,
    });
    await eventually('the session is no longer listed', async () => !(await running()).some((each) => each.id === id));
    expect((await client.delete(`${path}/${id}`)).status).toBe(404);
  });

  it('leave a record and entries of the change log, with consent', async () => {
    const session = await begin(ALL, true);
    session.viewer.send(marker(1n));
    await session.desktop.until(isMarker(1n));
    session.viewer.peer.socket.close();
    await eventually('the record is completed', async () => (await recordOf(session)).endedAt !== null);
    expect(await recordOf(session)).toMatchObject({ desktopSession: 1, isViewOnly: false, consent: 'Given', outcome: 'Completed' });
    const entries = () =>
      server.dataSource.query<{ readonly action_type: string; readonly after_json: unknown }[]>(
        `SELECT action_type, after_json FROM authorization_change_logs WHERE actor_principal_id = $1 AND target_id = $2 ORDER BY created_at, id`,
        [session.caller.account.id, device.id],
      );
    await eventually('the end is in the change log', async () => (await entries()).length === 2);
    expect((await entries()).map(({ action_type: action }) => action)).toEqual(['device-session-started', 'device-session-finished']);
  });

  it('have a record of each recording that their viewers note, which ends with the session at the latest', async () => {
    const session = await begin([]);
    const connect = await callerWith(server, tenant, [Permission.DeviceRemoteControlConnect], at.tenant(tenant));
    const other = server.client(connect.headers);
    const own = server.client(session.caller.headers);
    const path = `/api/inventory/devices/${device.id}/recordings/${session.sessionId}`;
    await recordOf(session);
    const recordings = () =>
      server.dataSource.manager.find(DeviceActivity, {
        where: { subject: session.sessionId, kind: DeviceActivityKind.Recording },
        order: { startedAt: 'ASC' },
      });

    expect((await other.put(path)).status).toBe(404);
    expect((await own.put(path)).status).toBe(204);
    expect((await own.put(path)).status).toBe(204);
    expect(await recordings()).toMatchObject([
      { deviceId: device.id, principalId: session.caller.account.id, endedAt: null, outcome: null },
    ]);
    expect((await other.delete(path)).status).toBe(404);
    expect((await own.delete(path)).status).toBe(204);
    expect((await own.delete(path)).status).toBe(404);
    expect(await recordings()).toMatchObject([{ outcome: 'Completed' }]);

    expect((await own.put(path)).status).toBe(204);
    session.viewer.peer.socket.close();
    await eventually('the recording ends with the session', async () => (await recordings()).every(({ endedAt }) => endedAt !== null));
    expect(await recordings()).toHaveLength(2);
    expect((await own.put(path)).status).toBe(404);
    const entries = () =>
      server.dataSource.query<{ readonly action_type: string }[]>(
        `SELECT action_type FROM authorization_change_logs WHERE actor_principal_id = $1 AND target_id = $2 ORDER BY created_at, id`,
        [session.caller.account.id, device.id],
      );
    await eventually('the end is in the change log', async () => (await entries()).at(-1)?.action_type === 'device-session-finished');
    expect((await entries()).map(({ action_type: action }) => action)).toEqual([
      'device-session-started',
      'device-session-recording-started',
      'device-session-recording-finished',
      'device-session-recording-started',
      'device-session-recording-finished',
      'device-session-finished',
    ]);
  });

  it('are answered once their record is written, so that their viewer can note a recording at once', async () => {
    const caller = await callerWith(server, tenant, [Permission.DeviceRemoteControlConnect], at.tenant(tenant));
    const [hub, other] = [keep(await TestViewer.connect(server, caller.headers)), keep(await TestViewer.connect(server, caller.headers))];
    limit({ recordMs: 60_000 });
    const answers: string[] = [];
    agent.on(agentClient.CreateRemoteControlSession, () => (answers.push('of the device'), hubOk()));
    agent.on(agentClient.GetActiveDesktopSessions, () => []);
    const meeting = newMeeting();
    await whileWaiting(
      server,
      'LOCK TABLE device_activities IN SHARE MODE',
      () => hub.call(viewerHub.RequestRemoteControlSession2, remoteControl.requestOf(meeting)).then(() => answers.push('of the service')),
      async () => {
        await eventually('the device has answered', () => answers.length > 0);
        // What the device answers next comes after it.
        await other.call(viewerHub.GetActiveDesktopSessions2, { deviceId: device.id });
        expect(answers).toEqual(['of the device']);
      },
    );
    const path = `/api/inventory/devices/${device.id}/recordings/${meeting.sessionId}`;
    expect((await server.client(caller.headers).put(path)).status).toBe(204);
  });

  it('are answered without their record by a silent database, which only their recording waits for', async () => {
    const caller = await callerWith(server, tenant, [Permission.DeviceRemoteControlConnect], at.tenant(tenant));
    const hub = keep(await TestViewer.connect(server, caller.headers));
    limit({ recordMs: 200 });
    agent.on(agentClient.CreateRemoteControlSession, () => hubOk());
    const meeting = newMeeting();
    const asked: Promise<unknown>[] = [];
    let recording: Promise<ApiAnswer> | undefined;
    await whileWaiting(
      server,
      'LOCK TABLE device_activities IN SHARE MODE',
      async () => void asked.push(hub.call(viewerHub.RequestRemoteControlSession2, remoteControl.requestOf(meeting))),
      async () => {
        expect(await asked[0]).toEqual(hubOk());
        recording = server.client(caller.headers).put(`/api/inventory/devices/${device.id}/recordings/${meeting.sessionId}`);
        // What is asked next, and answered without the record, comes after it.
        expect((await server.client(caller.headers).get('/api/auth/me')).status).toBeLessThan(500);
      },
    );
    // Another node does not know of a record that is not written yet.
    expect(server.nodes.length === 1 ? [204] : [204, 404]).toContain((await recording)?.status);
  });

  it('leave a record without consent when the device does not join', async () => {
    agent.on(agentClient.CreateRemoteControlSession, () => hubFailure('The user refused.'));
    const caller = await callerWith(server, tenant, [Permission.DeviceRemoteControlConnect], at.tenant(tenant));
    const hub = keep(await TestViewer.connect(server, caller.headers));
    const meeting = newMeeting();
    expect(
      await hub.call(viewerHub.RequestRemoteControlSession2, remoteControl.requestOf(meeting, { requireConsent: true })),
    ).toMatchObject({ isSuccess: false });
    await eventually('the record is completed', async () => (await recordOf(meeting)).endedAt !== null);
    expect(await recordOf(meeting)).toMatchObject({ consent: 'Asked', outcome: 'Failed' });
  });

  async function recordOf({ sessionId }: { readonly sessionId: string }): Promise<DeviceActivity> {
    let record: DeviceActivity | null = null;
    await eventually('the record is there', async () => {
      record = await server.dataSource.manager.findOneBy(DeviceActivity, { subject: sessionId });
      return record !== null;
    });
    return record as unknown as DeviceActivity;
  }

  /** The frame of a key event after that of an acknowledgement: which of them counts depends on the reader. */
  function doubled(): Buffer {
    const bytes = write(30, {});
    return Buffer.concat([Buffer.of(0x84), vector('Ack').subarray(1), bytes.subarray(1, 10)]);
  }

  function reordered(): Buffer {
    const bytes = write(30, {});
    const type = bytes.subarray(1, 10);
    return Buffer.concat([bytes.subarray(0, 1), bytes.subarray(10, 20), type, bytes.subarray(20)]);
  }
});
