import { createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { DeviceActivityKind, DeviceActivityOutcome } from '../../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../../src/devices/device-activity/device-activity.entity.js';
import { RelayLimits } from '../../../src/live/relay/relay-limits.js';
import { RelaySessions } from '../../../src/live/relay/relay-sessions.js';
import { RecordedMetrics } from '../../support/application/recorded-metrics.js';
import { eventually, settled } from '../../support/eventually.js';
import { createServiceAccountWithKey } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { newMeeting, rawPeer, RelayPeer, relayUri, untilHalfWaits, type Meeting } from '../relay-peer.js';

const ENDED = { code: 1000, reason: 'Session ended.' };
const MIB = 1_048_576;

const recorded = new RecordedMetrics();
afterAll(() => recorded.stop());

describe('the relay', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();
  let headers: { readonly 'x-api-key': string };
  let accountId: string;

  beforeAll(async () => {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    accountId = account.id;
    headers = { 'x-api-key': key };
  });

  afterEach(() => limit(new RelayLimits()));

  const requester = (meeting: Meeting, changes: Readonly<Record<string, string | null>> = {}): RelayPeer =>
    keep(new RelayPeer(relayUri(server, meeting, 'requester', changes), headers));
  const responder = (meeting: Meeting, changes: Readonly<Record<string, string | null>> = {}): RelayPeer =>
    keep(new RelayPeer(relayUri(server, meeting, 'responder', changes)));
  const limit = (limits: Partial<RelayLimits>): void => void Object.assign(server.app.get(RelayLimits, { strict: false }), limits);
  const sessionsOfNodes = (): readonly RelaySessions[] => server.nodes.map(({ app }) => app.get(RelaySessions, { strict: false }));
  const openSessions = (): number => sessionsOfNodes().reduce((sum, { size }) => sum + size, 0);
  const look = (): void => sessionsOfNodes().forEach((sessions) => sessions.look());

  /** A connected pair. */
  async function pair(): Promise<{ readonly viewer: RelayPeer; readonly device: RelayPeer; readonly meeting: Meeting }> {
    const meeting = newMeeting();
    const device = responder(meeting);
    const viewer = requester(meeting);
    return { viewer: await viewer.opened(), device: await device.opened(), meeting };
  }

  const untilWaiting = (meeting: Meeting): Promise<void> => untilHalfWaits(server, meeting);

  /** Waits until so many requesters wait for their devices. */
  const untilRequestersWait = (count: number): Promise<void> =>
    eventually(`${count} requesters wait`, async () => (await recorded.sum('relay.sockets.waiting', { role: 'requester' })) === count);

  describe('connects the two sides of a session', () => {
    it.each(['requester', 'responder'] as const)('when the %s comes first, which waits unanswered', async (role) => {
      const meeting = newMeeting();
      const first = role === 'requester' ? requester(meeting) : responder(meeting);
      await untilWaiting(meeting);
      expect(first.isAnswered).toBe(false);
      const second = role === 'requester' ? responder(meeting) : requester(meeting);
      await Promise.all([first.opened(), second.opened()]);
      first.socket.send('from the first');
      second.socket.send('from the second');
      expect((await second.receive(1)).join()).toBe('from the first');
      expect((await first.receive(1)).join()).toBe('from the second');
    });

    it('under any path below, with names in any case and roles as numbers', async () => {
      const { sessionId, accessToken } = newMeeting();
      const base = server.url.replace('http', 'ws');
      const device = keep(new RelayPeer(`${base}/Relay/any?SESSIONID=${sessionId.toUpperCase()}&AccessToken=${accessToken}&Role=1`));
      const viewer = keep(new RelayPeer(`${base}/relay/?sessionId=${sessionId}&accessToken=${accessToken}&role=REQUESTER`, headers));
      await Promise.all([device.opened(), viewer.opened()]);
    });

    it('and frees the session id: who comes third waits for a partner of its own', async () => {
      const { viewer, device, meeting } = await pair();
      const other = { ...newMeeting(), sessionId: meeting.sessionId };
      const [second, third] = [requester(other), responder(other)];
      await Promise.all([second.opened(), third.opened()]);
      viewer.socket.send('first session');
      second.socket.send('second session');
      expect((await device.receive(1)).join()).toBe('first session');
      expect((await third.receive(1)).join()).toBe('second session');
    });
  });

  describe('passes messages on', () => {
    it('byte by byte, in order, in both directions at once', async () => {
      const { viewer, device } = await pair();
      const sizes = [0, 1, 125, 126, 127, 1023, 1024, 1025, 65_535, 65_536, 65_537, MIB];
      for (let count = 0; count < 60; count += 1) sizes.push(randomInt(MIB), randomInt(300));
      const sent = sizes.map((size) => randomBytes(size));
      const digest = (messages: readonly Buffer[]): string[] => messages.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
      for (const bytes of sent) viewer.socket.send(bytes);
      for (const bytes of sent.toReversed()) device.socket.send(bytes);
      expect(digest(await device.receive(sent.length))).toEqual(digest(sent));
      expect(digest(await viewer.receive(sent.length))).toEqual(digest(sent.toReversed()));
    });

    it('in fragments, as binary, and answers pings between them itself', async () => {
      const { viewer, device } = await pair();
      const pongs: string[] = [];
      viewer.socket.on('pong', (data) => pongs.push(data.toString()));
      let pings = 0;
      device.socket.on('ping', () => (pings += 1));
      viewer.socket.send('a text ', { fin: false, binary: false });
      viewer.socket.ping('between');
      viewer.socket.send('in two parts: ä', { fin: true });
      expect(String((await device.receive(1))[0])).toBe('a text in two parts: ä');
      expect(device.isText).toEqual([false]);
      await eventually('the ping is answered', () => pongs.length === 1);
      expect([pongs, pings]).toEqual([['between'], 0]);
    });

    it('no faster than a slow reader takes them, and loses none', async () => {
      const { viewer, device } = await pair();
      const before = process.memoryUsage().arrayBuffers;
      device.socket.pause();
      const block = randomBytes(MIB);
      // In the sender's own process the unsent bytes are one block that is named many times.
      const blocks = 64;
      for (let count = 0; count < blocks; count += 1) viewer.socket.send(block);
      const unsent = await settled('what the sender still has', () => viewer.socket.bufferedAmount);
      expect(unsent).toBeGreaterThan((blocks / 2) * MIB);
      // The sender keeps its masked copies of what it could not send; the relay adds one chunk or two.
      expect(process.memoryUsage().arrayBuffers - before - unsent).toBeLessThan(16 * MIB);
      device.messages.length = 0;
      device.socket.on('message', () => (device.messages.length = 0));
      device.socket.resume();
      await eventually('everything has arrived', () => device.received === blocks * MIB);
    });
  });

  describe('ends both sides', () => {
    it.each([
      ['closes with a code of its own', (peer: RelayPeer) => peer.socket.close(4001, 'my reason')],
      ['closes without a code', (peer: RelayPeer) => peer.socket.close()],
    ])('with 1000 when one %s', async (_how, close) => {
      for (const side of ['viewer', 'device'] as const) {
        const both = await pair();
        close(both[side]);
        expect([await both.viewer.end(), await both.device.end()]).toEqual([ENDED, ENDED]);
      }
    });

    it('when one vanishes', async () => {
      for (const [gone, left] of [
        ['viewer', 'device'],
        ['device', 'viewer'],
      ] as const) {
        const both = await pair();
        both[gone].socket.terminate();
        expect(await both[left].end()).toEqual(ENDED);
      }
    });

    it('after the last byte: what was sent before the end arrives', async () => {
      const { viewer, device } = await pair();
      const bytes = randomBytes(8 * MIB);
      device.socket.pause();
      viewer.socket.send(bytes);
      viewer.socket.close();
      device.socket.resume();
      expect((await device.receive(1))[0].equals(bytes)).toBe(true);
      expect(await device.end()).toEqual(ENDED);
    });

    it.each([
      ['an unmasked frame', Buffer.from([0x82, 0x01, 0x41])],
      ['reserved bits', Buffer.from([0xc2, 0x80, 0, 0, 0, 0])],
      ['an unknown kind of frame', Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
      ['an unknown kind of control frame', Buffer.from([0x8b, 0x80, 0, 0, 0, 0])],
      ['a ping in fragments', Buffer.from([0x09, 0x80, 0, 0, 0, 0])],
      ['a ping that is too long', Buffer.from([0x89, 0xfe, 0, 126, 0, 0, 0, 0])],
      ['a message within a message', Buffer.from([0x02, 0x80, 0, 0, 0, 0, 0x82, 0x80, 0, 0, 0, 0])],
      ['the rest of no message', Buffer.from([0x80, 0x80, 0, 0, 0, 0])],
      ['a frame without an end', Buffer.from([0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])],
    ])('when one sends %s', async (_what, bytes) => {
      const meeting = newMeeting();
      const raw = await rawPeer(relayUri(server, meeting, 'responder'));
      const viewer = await requester(meeting).opened();
      raw.write(bytes);
      expect(await viewer.end()).toEqual(ENDED);
      const answer: Buffer[] = [];
      for await (const piece of raw) answer.push(piece as Buffer);
      expect(Buffer.concat(answer).includes(Buffer.from([0x03, bytes[1] === 0xff ? 0xf1 : 0xea]))).toBe(true);
    });

    it('when one neither sends nor answers pings, but not when it is only silent', async () => {
      const silent = await pair();
      const meeting = newMeeting();
      const raw = await rawPeer(relayUri(server, meeting, 'responder'));
      const viewer = await requester(meeting).opened();
      raw.pause();
      const pinged = [silent.viewer, silent.device, viewer].map((peer) => once(peer.socket, 'ping'));
      const { looksUntilPing, looksUntilGone } = new RelayLimits();
      for (let looks = 0; looks <= looksUntilGone; looks += 1) {
        look();
        if (looks !== looksUntilPing) continue;
        await Promise.all(pinged);
        const before = [silent.viewer, silent.device, viewer].map((peer) => once(peer.socket, 'pong'));
        for (const peer of [silent.viewer, silent.device, viewer]) peer.socket.ping();
        await Promise.all(before);
      }
      expect(await viewer.end()).toEqual(ENDED);
      expect([silent.viewer.closed, silent.device.closed]).toEqual([undefined, undefined]);
      raw.destroy();
    });

    it('when the one that is sent to does not read any more', async () => {
      const { viewer, device } = await pair();
      device.socket.pause();
      const block = Buffer.alloc(MIB);
      for (let count = 0; count < 20; count += 1) viewer.socket.send(block);
      await settled('what the sender still has', () => viewer.socket.bufferedAmount);
      for (let looks = 0; looks <= new RelayLimits().looksUntilGone; looks += 1) look();
      expect(await viewer.end()).toEqual(ENDED);
      device.socket.terminate();
    });

    it('in time, also one that does not answer the close frame', async () => {
      limit({ closeMs: 50 });
      const meeting = newMeeting();
      const raw = await rawPeer(relayUri(server, meeting, 'responder'));
      const viewer = await requester(meeting).opened();
      const ended = once(raw.resume(), 'close');
      viewer.socket.close();
      await ended;
      expect(openSessions()).toBe(0);
    });

    it('when the service stops, but reads first what has arrived while its process stood still', async () => {
      const quietMs = 500;
      limit({ quietMs });
      const { viewer, device } = await pair();
      const stopped = Promise.all(sessionsOfNodes().map((sessions) => sessions.stop(60_000)));
      device.socket.send('sent before the standstill');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * quietMs);
      expect((await viewer.end()).code).toBe(1001);
      expect(viewer.messages.join()).toBe('sent before the standstill');
      await stopped;
    });
  });

  describe('refuses', () => {
    it.each([
      ['without a session', { sessionId: null }, 'sessionId must be a GUID.'],
      ['with a malformed session', { sessionId: 'no guid' }, 'sessionId must be a GUID.'],
      ['without a token', { accessToken: '' }, 'accessToken is missing.'],
      ['without a role', { role: null }, 'role must be requester or responder.'],
      ['with an unknown role', { role: '2' }, 'role must be requester or responder.'],
      ['with a negative wait', { timeout: '-1' }, 'timeout must not be negative.'],
    ])('a socket %s', async (_what, changes, reason) => {
      for (const peer of [requester(newMeeting(), changes), responder(newMeeting(), changes)]) {
        const { status, body } = await peer.refusal();
        expect([status, body]).toEqual([
          400,
          `${reason}\n\nExpected: /relay?sessionId={guid}&accessToken={token}&timeout={seconds}&role={requester|responder}`,
        ]);
      }
    });

    it('a requester without a valid credential, and one of a foreign page', async () => {
      const uri = relayUri(server, newMeeting(), 'requester');
      expect(await keep(new RelayPeer(uri)).refusal()).toMatchObject({
        status: 401,
        headers: { 'content-type': 'application/problem+json', 'www-authenticate': expect.stringContaining('ApiKey') },
      });
      expect(await keep(new RelayPeer(uri, { 'x-api-key': `${'0'.repeat(32)}:wrong` })).refusal()).toMatchObject({ status: 401 });
      expect(await keep(new RelayPeer(uri, { ...headers, origin: 'https://evil.example' })).refusal()).toMatchObject({ status: 403 });
    });

    it('a request that is no WebSocket', async () => {
      const response = await fetch(new URL('/relay', server.url));
      expect(response.status).toBe(404);
    });

    it('a wrong token and a role that is taken, without disturbing the one that waits', async () => {
      const meeting = newMeeting();
      const device = responder(meeting);
      await untilWaiting(meeting);
      for (const wrong of [newMeeting().accessToken, meeting.accessToken.slice(1), 'x']) {
        const attempt = { ...meeting, accessToken: wrong };
        expect((await requester(attempt).refusal()).status).toBe(401);
        expect((await responder(attempt).refusal()).status).toBe(401);
      }
      expect(await responder(meeting).refusal()).toMatchObject({ status: 400, body: 'The session has a responder already.' });
      expect(device.isAnswered).toBe(false);
      const viewer = await requester(meeting).opened();
      (await device.opened()).socket.send('here');
      expect((await viewer.receive(1)).join()).toBe('here');
    });

    it('a half whose partner does not come in time, and forgets it', async () => {
      const meeting = newMeeting();
      const waited = Date.now();
      const { status, body } = await requester(meeting, { timeout: '1' }).refusal();
      expect([status, body]).toEqual([408, 'Timed out while waiting for partner.']);
      expect(Date.now() - waited).toBeGreaterThanOrEqual(990);
      const other = { ...newMeeting(), sessionId: meeting.sessionId };
      const device = responder(other);
      await Promise.all([requester(other).opened(), device.opened()]);
    });

    it('nobody because of a half that has left', async () => {
      const meeting = newMeeting();
      const gone = requester(meeting);
      await untilWaiting(meeting);
      gone.socket.terminate();
      // Its place is free once the relay has noticed.
      await eventually('another token is accepted', async () => {
        const { status } = await requester({ ...newMeeting(), sessionId: meeting.sessionId }, { timeout: '1' }).refusal();
        return status === 408;
      });
    });

    it('more responders of one address, or of all, than may wait for sessions that nobody has asked for', async () => {
      for (const limits of [{ unexpectedRespondersOfAddress: 2 }, { unexpectedResponders: 2 }]) {
        limit({ ...new RelayLimits(), ...limits });
        const meetings = [newMeeting(), newMeeting()];
        const waiting = meetings.map((meeting) => responder(meeting));
        for (const meeting of meetings) await untilWaiting(meeting);
        const refused = await responder(newMeeting()).refusal();
        expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
        // Those with a partner need not wait, and leave room.
        const meeting = newMeeting();
        const viewer = requester(meeting);
        await untilWaiting(meeting);
        await Promise.all([responder(meeting).opened(), viewer.opened(), requester(meetings[0]).opened(), waiting[0].opened()]);
        const late = responder(newMeeting());
        await Promise.all([requester(meetings[1]).opened(), waiting[1].opened()]);
        late.socket.terminate();
      }
    });

    it('more requesters of one principal, and more sockets in all, than there are places', async () => {
      for (const limits of [{ requestersOfPrincipal: 1 }, { sockets: 1 }]) {
        limit({ ...new RelayLimits(), ...limits });
        await eventually('no session is left', () => openSessions() === 0);
        await untilRequestersWait(0);
        const first = requester(newMeeting());
        // The request that comes first would take the only place.
        await untilRequestersWait(1);
        expect((await requester(newMeeting(), { timeout: '1' }).refusal()).status).toBe(503);
        first.socket.terminate();
        await eventually('there is room again', async () => {
          const { status } = await requester(newMeeting(), { timeout: '1' }).refusal();
          return status === 408;
        });
      }
    });
  });

  it('counts the sockets that wait, the sessions that are open, and those that have ended with their bytes', async () => {
    await eventually('the sessions of other tests have ended', () => openSessions() === 0);
    const kind = DeviceActivityKind.Relay;
    const figures = async () => ({
      waiting: await recorded.sum('relay.sockets.waiting', { role: 'responder' }),
      open: await recorded.sum('relay.sessions.open', { kind }),
      closed: await recorded.sum('relay.sessions.ended', { kind, reason: 'closed' }),
      toDevice: await recorded.sum('relay.io', { kind, direction: 'to_device' }),
      fromDevice: await recorded.sum('relay.io', { kind, direction: 'from_device' }),
    });
    const before = await figures();
    expect(before).toMatchObject({ waiting: 0, open: 0 });
    const meeting = newMeeting();
    const device = responder(meeting);
    await eventually('the device is counted', async () => (await figures()).waiting === 1);
    const viewer = await requester(meeting).opened();
    await device.opened();
    expect(await figures()).toMatchObject({ waiting: 0, open: 1 });
    viewer.socket.send(Buffer.alloc(1_000));
    device.socket.send(Buffer.alloc(70_000));
    await eventually('all has arrived', () => device.received === 1_000 && viewer.received === 70_000);
    viewer.socket.close();
    await device.end();
    const { closed, toDevice, fromDevice } = before;
    expect(await figures()).toEqual({
      waiting: 0,
      open: 0,
      closed: closed + 1,
      toDevice: toDevice + 1_000,
      fromDevice: fromDevice + 70_000,
    });
  });

  it('leaves an audit record of a session that was not asked for through the hub', async () => {
    const { viewer, device, meeting } = await pair();
    viewer.socket.send(Buffer.alloc(1000));
    device.socket.send(Buffer.alloc(70_000));
    await Promise.all([device.receive(1), viewer.receive(1)]);
    viewer.socket.close();
    let record: DeviceActivity | null = null;
    await eventually('the record is completed', async () => {
      record = await server.dataSource.manager.findOneBy(DeviceActivity, { subject: meeting.sessionId });
      return record?.endedAt != null;
    });
    expect(record).toMatchObject({
      kind: DeviceActivityKind.Relay,
      tenantId: tenant.id,
      deviceId: null,
      principalId: accountId,
      ipAddress: '127.0.0.1',
      bytesIn: '1000',
      bytesOut: '70000',
      outcome: DeviceActivityOutcome.Completed,
    });
  });
});
