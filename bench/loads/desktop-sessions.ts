import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { WebSocket, WebSocketServer } from 'ws';

import { ImageFormat, encodeMessage } from '#libs/desktop-stream';

import { deviceIdOf } from '../harness/database.js';
import { completionIdOf, HubSocket, invocation, isSuccess } from '../harness/hub-socket.js';
import { percentile } from '../harness/rounds.js';
import { serveCalls } from '../harness/serve-calls.js';
import { LoadAgent } from './load-agent.js';

/*
 * Remote control sessions with both sides in this process, through the relay or over sockets between the two. Each message bears the time
 * at which it was sent, in its last eight bytes.
 */

interface ServiceTarget {
  readonly url: string;
  readonly tenantId: string;
  readonly apiKey: string;
}

export interface DesktopSessionsTarget {
  /** The service, a plain relay by its URL, or null for sockets between the two. */
  readonly through: ServiceTarget | string | null;
  readonly sessions: number;
}

export interface DesktopLatencies {
  /** The p50 and p99 of moves from viewers to devices, and of pictures from devices to viewers, in milliseconds. */
  readonly moves: readonly [number, number];
  readonly pictures: readonly [number, number];
  readonly megabytesPerSecond: number;
  readonly cpuShare: number;
}

/** Bytes of a picture. One of scrolling text on the whole screen has about 130 kB; a usual change is far smaller. */
const PICTURE_BYTES = 64_000;
const PICTURES_PER_SECOND = 20;
const MOVES_PER_SECOND = 40;
const SETTLING_MS = 1_000;
const TIME_BYTES = 8;
const NS_PER_MS = 1e6;
const BYTES_PER_MB = 1e6;

interface Pair {
  readonly viewer: WebSocket;
  readonly device: WebSocket;
}

const picture = randomBytes(PICTURE_BYTES);
let pairs: Pair[] = [];
const closers: (() => Promise<void>)[] = [];

const calls = {
  async connect({ through, sessions }: DesktopSessionsTarget): Promise<void> {
    if (through === null) pairs = await direct(sessions);
    else pairs = await (typeof through === 'string' ? plainly(through, sessions) : requested(through, sessions));
  },

  /** Sends pictures and moves in all sessions for so many seconds. */
  async run(seconds: number): Promise<DesktopLatencies> {
    const times = { moves: [] as number[], pictures: [] as number[] };
    let isCounting = false;
    let bytes = 0;
    const stops = pairs.map(({ viewer, device }, index) => {
      const note = (list: number[]) => (data: Buffer) => {
        if (!isCounting) return;
        bytes += data.length;
        list.push(Number(process.hrtime.bigint() - data.readBigUInt64BE(data.length - TIME_BYTES)) / NS_PER_MS);
      };
      viewer.on('message', note(times.pictures));
      device.on('message', note(times.moves));
      const share = index / pairs.length;
      return [
        every(1000 / PICTURES_PER_SECOND, share, () => device.send(stamped(PICTURE))),
        every(1000 / MOVES_PER_SECOND, share, () => viewer.send(stamped(MOVE))),
      ];
    });
    await delay(SETTLING_MS);
    isCounting = true;
    const begun = performance.now();
    const cpu = process.cpuUsage();
    await delay(seconds * 1000);
    isCounting = false;
    const { user, system } = process.cpuUsage(cpu);
    const elapsed = (performance.now() - begun) / 1000;
    for (const stop of stops.flat()) stop();
    for (const { viewer, device } of pairs) for (const side of [viewer, device]) side.removeAllListeners('message');
    return {
      moves: spreadOf(times.moves),
      pictures: spreadOf(times.pictures),
      megabytesPerSecond: bytes / elapsed / BYTES_PER_MB,
      cpuShare: (user + system) / 1e6 / elapsed,
    };
  },

  async disconnect(): Promise<void> {
    for (const { viewer, device } of pairs) for (const side of [viewer, device]) side.terminate();
    pairs = [];
    for (const close of closers.splice(0)) await close();
  },
};

export type DesktopSessionsCalls = typeof calls;
serveCalls(calls);

const MOVE = encodeMessage('MovePointer', { normalizedX: 0.25, normalizedY: 0.5 }, process.hrtime.bigint());
const PICTURE = encodeMessage(
  'ScreenRegions',
  { regions: [{ x: 0, y: 0, width: 1920, height: 512, encodedImage: picture, imageFormat: ImageFormat.values.Png }] },
  process.hrtime.bigint(),
);

/** The message with the present time: a copy, since the socket masks what it sends. */
function stamped(message: Uint8Array): Buffer {
  const copy = Buffer.from(message);
  copy.writeBigUInt64BE(process.hrtime.bigint(), copy.length - TIME_BYTES);
  return copy;
}

/** Does something again and again, beginning after a share of the interval, and returns what stops it. */
function every(intervalMs: number, share: number, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    timer = setInterval(act, intervalMs);
  }, intervalMs * share);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}

function spreadOf(times: readonly number[]): [number, number] {
  const sorted = [...times].sort((one, other) => one - other);
  if (sorted.length === 0) throw new Error('No message has arrived.');
  return [percentile(sorted, 0.5), percentile(sorted, 0.99)];
}

/** Sockets between viewers and devices, without anything between them. */
async function direct(sessions: number): Promise<Pair[]> {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    sockets.close();
    server.close();
    await once(server, 'close');
  });
  const made: Pair[] = [];
  for (let session = 0; session < sessions; session += 1) {
    const arrived = once(sockets, 'connection');
    const viewer = await opened(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [device] = (await arrived) as [WebSocket];
    made.push({ viewer, device });
  }
  return made;
}

/** Sockets through a relay that asks for nothing. */
async function plainly(url: string, sessions: number): Promise<Pair[]> {
  const made: Pair[] = [];
  for (let session = 0; session < sessions; session += 1) made.push(await meet(url));
  return made;
}

/** Sessions that viewers ask for, through the service. */
async function requested({ url, tenantId, apiKey }: ServiceTarget, sessions: number): Promise<Pair[]> {
  const made: Pair[] = [];
  const headers = { 'x-api-key': apiKey };
  const hub = await HubSocket.connect(url, '/hubs/viewer', headers);
  closers.push(() => hub.close());
  for (let session = 0; session < sessions; session += 1) {
    const target = { url, path: '/hubs/agent', tenantId };
    const agent = new LoadAgent(session);
    agent.prepare(1, target);
    await agent.connect(target);
    closers.push(() => agent.disconnect());
    if (!(await agent.beat())) throw new Error('An agent was refused.');
    made.push(await joined(hub, url, headers, session));
  }
  return made;
}

/** Asks for a session with a device, and connects both sides. */
async function joined(hub: HubSocket, url: string, headers: Readonly<Record<string, string>>, device: number): Promise<Pair> {
  return meet(url, headers, async (sessionId, websocketUri) => {
    const request = {
      sessionId,
      websocketUri,
      targetSystemSession: 1,
      targetProcessId: 1,
      deviceId: deviceIdOf(device),
      notifyUserOnSessionStart: false,
      requireConsent: false,
      viewerConnectionId: null,
      viewerName: null,
    };
    const answered = new Promise<void>((resolve, reject) => {
      hub.onRecord = (record) => {
        if (completionIdOf(record) !== sessionId) return;
        if (isSuccess(record)) resolve();
        else reject(new Error(`A session was refused: ${record}`));
      };
    });
    hub.send(invocation(sessionId, 'RequestRemoteControlSession2', JSON.stringify([request])));
    await answered;
  });
}

/** Connects both sides of a session at a relay. `ask` asks for it before, with the address of the device's side. */
async function meet(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  ask: (sessionId: string, websocketUri: string) => Promise<void> = () => Promise.resolve(),
): Promise<Pair> {
  const sessionId = randomUUID();
  const token = randomBytes(32).toString('base64url');
  const [viewerUri, deviceUri] = ['requester', 'responder'].map((role) => {
    const relay = new URL(`/relay?sessionId=${sessionId}&accessToken=${token}&timeout=30&role=${role}`, url);
    relay.protocol = 'ws:';
    return relay.href;
  });
  await ask(sessionId, deviceUri);
  const [viewer, device] = await Promise.all([opened(viewerUri, headers), opened(deviceUri)]);
  return { viewer, device };
}

async function opened(url: string, headers: Readonly<Record<string, string>> = {}): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
}
