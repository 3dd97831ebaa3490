import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { agentClient, hubOk, viewerHub, type Encoding } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceActivityOutcome } from '../../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../../src/devices/device-activity/device-activity.entity.js';
import { RelayLimits } from '../../../src/live/relay/relay-limits.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { read, vector, write } from '../desktop-stream-messages.js';
import { newMeeting, RelayPeer, relayUri, untilHalfWaits, type Meeting } from '../relay-peer.js';
import { isMarker, isNews, marker, news, RemoteControl, Side } from '../remote-control-session.js';
import { callerWith, TestViewer, type Caller } from '../viewer-client.js';

const RIGHTS = [
  Permission.DeviceRemoteControlConnect,
  Permission.DeviceRemoteControlInteract,
  Permission.DeviceVncRelayConnect,
  Permission.DeviceOverviewRead,
];
const OVER = { status: 403, body: 'The session is over. Ask for a new one.' };
const TAKEN = { isSuccess: false, reason: 'The sessionId is taken: choose a new one for each session.' };
const ENDED = { code: 1000, reason: 'Session ended.' };
const ACK = 39;
const MOVE = 26;
const REGIONS = 50;
/** Moves of a flood: 100 at a time, a hundred times a second. */
const MOVES_AT_ONCE = 100;
const FLOOD_MS = 10;
const ROUNDS = 200;

describe('a remote control session at the relay', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();
  let agent: FakeAgent;
  let remoteControl: RemoteControl;
  let caller: Caller;

  beforeAll(async () => {
    agent = server.alsoStop(await FakeAgent.online(server, await createKeyedDevice(server, tenant)));
    remoteControl = new RemoteControl(server, agent, keep);
    caller = await callerWith(server, tenant, RIGHTS, at.tenant(tenant));
  });

  const limits = (): RelayLimits => server.app.get(RelayLimits, { strict: false });
  afterEach(() => Object.assign(limits(), new RelayLimits()));

  const connect = async (who = caller): Promise<TestViewer> => keep(await TestViewer.connect(server, who.headers));
  const requester = (meeting: Meeting, who = caller): RelayPeer =>
    keep(new RelayPeer(relayUri(server, meeting, 'requester', { timeout: '0' }), who.headers));
  const running = async (): Promise<readonly unknown[]> => {
    const list = await server.client(caller.headers).get(`/api/inventory/devices/${agent.device.id}/sessions`);
    return list.as<{ readonly items: readonly unknown[] }>().items;
  };

  async function recordOf({ sessionId }: { readonly sessionId: string }): Promise<DeviceActivity> {
    let record: DeviceActivity | null = null;
    await eventually('the record is completed', async () => {
      record = await server.dataSource.manager.findOneBy(DeviceActivity, { subject: sessionId });
      return record?.endedAt != null;
    });
    return record as unknown as DeviceActivity;
  }

  it.each(['viewer', 'device'] as const)('is over in time when only the %s comes, which is told', async (who) => {
    Object.assign(limits(), { meetingMs: 100 });
    const meeting = newMeeting();
    const devices: RelayPeer[] = [];
    agent.on(agentClient.CreateRemoteControlSession, ({ websocketUri }) => {
      if (who === 'device') devices.push(keep(new RelayPeer(websocketUri)));
      return hubOk();
    });
    const halves = who === 'viewer' ? [requester(meeting)] : devices;
    if (who === 'viewer') await untilHalfWaits(server, meeting);
    const request = remoteControl.requestOf(meeting, { requireConsent: true });
    expect(await (await connect()).call(viewerHub.RequestRemoteControlSession2, request)).toMatchObject({ isSuccess: true });
    expect(await halves[0].refusal()).toMatchObject(OVER);
    expect(await recordOf(meeting)).toMatchObject({ outcome: DeviceActivityOutcome.Failed, consent: 'Asked', bytesIn: '0', bytesOut: '0' });
    await eventually('nothing is listed', async () => (await running()).length === 0);
  });

  it('goes on with a viewer that acknowledges nothing, in whose name the relay acknowledges nothing', async () => {
    const silent = await remoteControl.begin(caller);
    const other = await remoteControl.begin(caller);
    const region = vector('ScreenRegions');
    const pictures = Array.from({ length: 500 }, () => region);
    silent.desktop.send(...pictures, news(1n));
    expect((await silent.viewer.until(isNews(1n))).filter(({ type }) => type === REGIONS)).toHaveLength(pictures.length);
    other.desktop.send(region, news(2n));
    expect(await other.viewer.until(isNews(2n))).toHaveLength(1);
    silent.viewer.send(marker(1n));
    expect(await silent.desktop.until(isMarker(1n))).toEqual([]);
    silent.viewer.peer.socket.close();
    expect(await silent.desktop.peer.end()).toEqual(ENDED);
    expect(await recordOf(silent)).toMatchObject({ outcome: DeviceActivityOutcome.Completed });
    other.viewer.send(marker(2n));
    await other.desktop.until(isMarker(2n));
  });

  it('does not hold others up while its viewer moves the pointer 10,000 times a second, and loses no move', async () => {
    const flooding = await remoteControl.begin(caller);
    const other = await remoteControl.begin(await callerWith(server, tenant, RIGHTS, at.tenant(tenant)));
    let sent = 0;
    const flood = setInterval(() => {
      for (let move = 0; move < MOVES_AT_ONCE; move += 1) {
        sent += 1;
        flooding.viewer.send(write(MOVE, { NormalizedX: 0.5, NormalizedY: 0.5 }, BigInt(sent)));
      }
    }, FLOOD_MS);
    try {
      await eventually('the flood has begun', () => flooding.desktop.peer.messages.length > MOVES_AT_ONCE);
      for (let round = 1n; round <= ROUNDS; round += 1n) {
        other.viewer.send(vector('KeyEvent'), marker(round));
        expect(await other.desktop.until(isMarker(round))).toHaveLength(1);
        other.desktop.send(vector('ScreenRegions'), news(round));
        expect(await other.viewer.until(isNews(round))).toHaveLength(1);
      }
    } finally {
      clearInterval(flood);
    }
    await eventually('every move has come', () => flooding.desktop.peer.messages.length === sent);
    const places = flooding.desktop.peer.messages.map((bytes) => Number(read(bytes).time));
    expect(places.every((place, index) => place === index + 1)).toBe(true);
  });

  it('keeps its id to itself: neither another session nor VNC begins under it, by anyone', async () => {
    const session = await remoteControl.begin(caller);
    const asked: string[] = [];
    agent.on(agentClient.CreateRemoteControlSession, ({ websocketUri }) => (asked.push(websocketUri), hubOk()));
    agent.on(agentClient.CreateVncSession, ({ websocketUri }) => (asked.push(websocketUri), hubOk()));
    const request = remoteControl.requestOf({ ...newMeeting(), sessionId: session.sessionId });
    const vncRequest = { ...request, viewerConnectionId: '', port: 5901 };
    for (const who of [caller, await callerWith(server, tenant, RIGHTS, at.tenant(tenant))]) {
      const hub = await connect(who);
      expect(await hub.call(viewerHub.RequestRemoteControlSession2, request)).toMatchObject(TAKEN);
      // Nothing reads the messages of VNC.
      expect(await hub.call(viewerHub.RequestVncSession2, vncRequest)).toMatchObject(TAKEN);
    }
    expect(asked).toEqual([]);
    session.viewer.send(vector('ClipboardText'), marker(1n));
    expect(await session.desktop.until(isMarker(1n))).toEqual([]);
    session.viewer.peer.socket.close();
    await recordOf(session);
    expect(await (await connect()).call(viewerHub.RequestVncSession2, vncRequest)).toMatchObject(TAKEN);
  });

  /** The release lines of existing programs: how viewers ask, how the agent's hub is spoken, and what regions come in. */
  const LINES = [
    { line: '0.27', encoding: 'messagepack', isPositional: true, regions: 'ScreenRegion' },
    { line: '0.28', encoding: 'json', isPositional: false, regions: 'ScreenRegions' },
  ] as const;

  it.each(LINES.flatMap((agentLine) => LINES.map((viewerLine) => ({ agentLine, viewerLine }))))(
    'runs from its begin to its end between an agent of $agentLine.line and a viewer of $viewerLine.line',
    async ({ agentLine, viewerLine }) => {
      const encoding: Encoding = agentLine.encoding;
      const device = keep(await FakeAgent.online(server, await createKeyedDevice(server, tenant), encoding));
      const meeting = newMeeting();
      const request = { ...remoteControl.requestOf(meeting), deviceId: device.device.id };
      const devices: RelayPeer[] = [];
      device.on(agentClient.CreateRemoteControlSession, ({ websocketUri, targetProcessId }) => {
        expect(targetProcessId).toBe(request.targetProcessId);
        devices.push(keep(new RelayPeer(websocketUri)));
        return hubOk();
      });
      const hub = keep(await TestViewer.connect(server, caller.headers, viewerLine.encoding));
      const answer = viewerLine.isPositional
        ? hub.call(viewerHub.RequestRemoteControlSession, request.deviceId, request)
        : hub.call(viewerHub.RequestRemoteControlSession2, request);
      expect(await answer).toMatchObject({ isSuccess: true });
      const viewer = new Side(await requester(meeting).opened());
      const desktop = new Side(await devices[0].opened());

      viewer.send(vector('UpdateCaptureSettings'), vector('RequestKeyFrame'));
      const [settings] = await desktop.until(({ type }) => type === read(vector('RequestKeyFrame')).type);
      expect(settings.bytes.equals(vector('UpdateCaptureSettings'))).toBe(true);
      const pictures = ['DisplayData', 'CursorChanged', agentLine.regions, 'CaptureMetricsChanged'].map(vector);
      desktop.send(...pictures, news(1n));
      expect((await viewer.until(isNews(1n))).map(({ bytes }) => bytes.toString('hex'))).toEqual(
        pictures.map((bytes) => bytes.toString('hex')),
      );
      const acks = pictures.map((bytes) => write(ACK, { ReceivedSize: bytes.length, SendTimestamp: read(bytes).time }));
      const input = ['MovePointer', 'MouseButtonEvent', 'KeyEvent', 'TypeText', 'WheelScroll', 'MouseClick', 'ResetKeyboardState'].map(
        vector,
      );
      viewer.send(...acks, ...input, marker(1n));
      expect((await desktop.until(isMarker(1n))).map(({ bytes }) => bytes.toString('hex'))).toEqual(
        [...acks, ...input].map((bytes) => bytes.toString('hex')),
      );
      viewer.send(vector('CloseRemoteControlSession'));
      await desktop.until(({ type }) => type === read(vector('CloseRemoteControlSession')).type);
      desktop.peer.socket.close();
      expect([await viewer.peer.end(), await desktop.peer.end()]).toEqual([ENDED, ENDED]);
      expect(await recordOf(meeting)).toMatchObject({
        outcome: DeviceActivityOutcome.Completed,
        desktopSession: 1,
        isViewOnly: false,
        bytesOut: String([...pictures, news(1n)].reduce((sum, { length }) => sum + length, 0)),
      });
    },
  );
});
