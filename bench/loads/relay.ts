import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { serveCalls } from '../harness/serve-calls.js';

/*
 * Pairs of a relay, both sides of each. The responders send frames of 64 KiB that were made before, and the requesters count what arrives,
 * so that the load costs little. Frames and masks are real; a byte that is missing keeps the load from ending.
 */

interface RelayTarget {
  readonly url: string;
  readonly apiKey: string;
  readonly pairs: number;
  /** Server that the devices connect to, if not `url`. */
  readonly deviceUrl?: string;
}

export interface RelayResult {
  readonly bytes: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const PAYLOAD = 65_536;
const MASK = Buffer.from([0x5a, 0xc3, 0x17, 0x88]);
/** A binary frame of 64 KiB: the header with a length of eight bytes, the mask, the payload under the mask. */
const FRAME = Buffer.concat([Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 1, 0, 0]), MASK, randomBytes(PAYLOAD)]);
const STEADY_LOOKS = 20;
const LOOK_MS = 50;

interface Pair {
  readonly viewer: Socket;
  readonly device: Socket;
  /** Rejects when one of the two connections closes. */
  readonly lost: Promise<never>;
  received: number;
}

let pairs: Pair[] = [];

const calls = {
  /** Connects so many pairs. */
  async connect({ url, apiKey, pairs: count, deviceUrl = url }: RelayTarget): Promise<void> {
    for (let pair = 0; pair < count; pair += 1) {
      const session = `sessionId=${randomUUID()}&accessToken=${randomBytes(64).toString('base64url')}&timeout=30`;
      const [viewer, device] = await Promise.all([
        upgraded(url, `/relay?${session}&role=requester`, `x-api-key: ${apiKey}\r\n`),
        upgraded(deviceUrl, `/relay?${session}&role=responder`, ''),
      ]);
      const made: Pair = { viewer, device, lost: lossOf(viewer, device), received: 0 };
      viewer.on('data', (bytes: Buffer) => (made.received += bytes.length));
      device.resume();
      pairs.push(made);
    }
  },

  /** Sends these bytes in all, the same share through each pair. Settles when all have arrived. */
  async send(bytes: number): Promise<RelayResult> {
    const frames = Math.ceil(bytes / pairs.length / PAYLOAD);
    const started = performance.now();
    const cpu = process.cpuUsage();
    const sent = pairs.map((pair) => Promise.race([pair.lost, Promise.all([sendFrames(pair.device, frames), received(pair, frames)])]));
    await Promise.all(sent);
    const { user, system } = process.cpuUsage(cpu);
    return { bytes: frames * PAYLOAD * pairs.length, seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 };
  },

  /** Lets each device send while no viewer reads. Settles when nothing leaves any more, with the bytes that have left. */
  async stall(frames: number): Promise<number> {
    for (const { viewer } of pairs) viewer.pause();
    for (const pair of pairs) {
      pair.received = 0;
      void sendFrames(pair.device, frames);
    }
    const left = (): number => pairs.reduce((sum, { device }) => sum + device.bytesWritten - device.writableLength, 0);
    for (let same = 0, last = -1; same < STEADY_LOOKS;) {
      await delay(LOOK_MS);
      const now = left();
      same = now === last ? same + 1 : 0;
      last = now;
    }
    return left();
  },

  /** The viewers read again. Settles when everything that was sent into the stall has arrived. */
  async goOn(frames: number): Promise<void> {
    const all = pairs.map((pair) => Promise.race([pair.lost, received(pair, frames)]));
    for (const { viewer } of pairs) viewer.resume();
    await Promise.all(all);
  },

  async disconnect(): Promise<void> {
    const closed = pairs.map(({ viewer }) => once(viewer, 'close'));
    for (const { viewer, device } of pairs) {
      viewer.destroy();
      device.destroy();
    }
    pairs = [];
    await Promise.all(closed);
  },
};

export type RelayCalls = typeof calls;
serveCalls(calls);

/** A socket whose upgrade was accepted. */
async function upgraded(url: string, path: string, credential: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connectTcp(Number(port), hostname);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  const key = randomBytes(16).toString('base64');
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${upgrade}Sec-WebSocket-Key: ${key}\r\n${credential}\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (!answer.toString('latin1').startsWith('HTTP/1.1 101 ')) throw new Error(`The relay answered: ${answer.toString()}`);
  return socket;
}

/** Rejects when one of the connections closes: what waits for bytes would wait for ever. */
function lossOf(...sockets: readonly Socket[]): Promise<never> {
  const lost = Promise.race(sockets.map((socket) => once(socket, 'close'))).then(() => {
    throw new Error('The relay closed a connection.');
  });
  // At the end of the load nobody waits any more.
  lost.catch(() => undefined);
  return lost;
}

/** Sends frames no faster than they leave. */
async function sendFrames(socket: Socket, frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame += 1) {
    if (!socket.write(FRAME)) await once(socket, 'drain');
  }
}

/** Waits until the payload of so many frames has arrived. Headers come on top: four or ten bytes a frame, or a piece of one. */
async function received(pair: Pair, frames: number): Promise<void> {
  const wanted = frames * PAYLOAD;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (pair.received < wanted) return;
      pair.viewer.off('data', look);
      pair.received = 0;
      resolve();
    };
    pair.viewer.on('data', look);
    look();
  });
}
