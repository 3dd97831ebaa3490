import { once } from 'node:events';

import { WebSocketGateway } from '@nestjs/websockets';
import type { HubConnection as ClientConnection } from '@microsoft/signalr';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { hubMethod, stream, wire, type Encoding } from '#libs/signalr';
import { Argument, HubMethod, SignalRModule } from '#libs/signalr/nest';

import { eventually } from '../../support/eventually.js';
import { buildClient, startHubs, type RunningHubs } from '../../../libs/signalr/test/support/running-hubs.js';
import { ConnectionLeakCheck, usedBytes } from './memory.js';
import { Chance, freshSeed, randomFrame } from './random-frames.js';

/*
 * A hundred thousand random frames of each encoding, over real sockets. A connection goes on or is ended by the server, and never hangs;
 * another one is answered all the while; and nothing stays.
 */

const PATH = '/hubs/random';
const FRAMES = 50_000;
/** The same in every run, so that what it has found once stays found. */
const FIXED_SEED = 20_261_122;
/** Frames that are sent at once, and the number of clients that send them. */
const AT_ONCE = 250;
const CLIENTS = 4;
/** Usual difference between readings of the memory: less than a hundred bytes a frame. */
const TOLERATED_BYTES = 4 * 1_048_576;
const LAST = 'the last of these frames';
const MAXIMUM_MESSAGE_SIZE = 4_000;
const PING = Buffer.from([2, 0x91, 6]);
/**
 * A damaged length makes the server wait for the rest of a message. These pings are that rest, whatever the length and wherever it begins,
 * and something behind it that is no message if it ends between two pings.
 */
const REST = Buffer.concat(Array.from({ length: (2 * MAXIMUM_MESSAGE_SIZE) / PING.length + 1 }, () => PING));

const hub = {
  Echo: hubMethod('Echo', [wire.any], wire.any),
  Count: hubMethod('Count', [wire.number], stream(wire.number)),
  Read: hubMethod('Read', [stream(wire.any)], wire.number),
  Drop: hubMethod('Drop', [stream(wire.any)]),
};

@WebSocketGateway({ path: PATH })
class RandomGateway {
  @HubMethod(hub.Echo)
  echo(@Argument(0) value: unknown): unknown {
    return value;
  }

  @HubMethod(hub.Count)
  async *count(@Argument(0) upTo: number): AsyncGenerator<number> {
    for (let number = 0; number < Math.min(upTo, 20); number += 1) yield await Promise.resolve(number);
  }

  @HubMethod(hub.Read)
  async read(@Argument(0) items: AsyncIterable<unknown>): Promise<number> {
    let count = 0;
    for await (const _item of items) count += 1;
    return count;
  }

  @HubMethod(hub.Drop)
  drop(): void {
    // Nobody reads its stream.
  }

  @HubMethod('Fail')
  fail(): never {
    throw new Error('It fails.');
  }
}

let hubs: RunningHubs;
let leakCheck: ConnectionLeakCheck;
let bystander: ClientConnection;

beforeAll(async () => {
  hubs = await startHubs(
    { imports: [SignalRModule.forHubs(PATH)], providers: [RandomGateway] },
    { hubs: [{ path: PATH, limits: { maximumMessageSize: MAXIMUM_MESSAGE_SIZE } }] },
  );
  leakCheck = new ConnectionLeakCheck([hubs.server.hub(PATH)]);
});

afterAll(() => hubs.app.close());

afterEach(() => bystander.stop());

/** A client that speaks the encoding and notes the end of its connection and the call that was answered last. */
class Sender {
  private lastAnswered = '';
  private isOver = false;

  private constructor(
    private readonly socket: WebSocket,
    private readonly encoding: Encoding,
  ) {
    socket.on('close', () => (this.isOver = true));
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      if (data.includes(LAST)) this.lastAnswered = LAST;
    });
  }

  static async connect(encoding: Encoding): Promise<Sender> {
    const socket = new WebSocket(hubs.url.replace('http', 'ws') + PATH);
    await once(socket, 'open');
    socket.send(`{"protocol":"${encoding}","version":1}\x1e`);
    await once(socket, 'message');
    return new Sender(socket, encoding);
  }

  get isOpen(): boolean {
    return !this.isOver;
  }

  /** Sends the frames and waits until the server has dealt with all of them, or has ended the connection. */
  async send(frames: readonly Buffer[]): Promise<void> {
    this.lastAnswered = '';
    for (const frame of frames) this.socket.send(frame, { binary: this.encoding === 'messagepack' });
    if (this.encoding === 'messagepack') this.socket.send(REST);
    this.socket.send(lastCall(this.encoding), { binary: this.encoding === 'messagepack' });
    await eventually('the frames are dealt with', () => this.isOver || this.lastAnswered === LAST);
  }

  leave(): void {
    this.socket.terminate();
  }
}

/** A call whose answer tells that all before it was dealt with. */
function lastCall(encoding: Encoding): Buffer {
  if (encoding === 'json') return Buffer.from(`{"type":1,"invocationId":"last","target":"Echo","arguments":["${LAST}"]}\x1e`);
  const text = Buffer.from(LAST);
  const head = Buffer.from([0x96, 1, 0x80, 0xa4, ...Buffer.from('last'), 0xa4, ...Buffer.from('Echo'), 0x91, 0xa0 | text.length]);
  const body = Buffer.concat([head, text, Buffer.from([0x90])]);
  return Buffer.concat([Buffer.from([body.length]), body]);
}

/** Sends so many frames, over a new connection whenever the server has ended one. Returns the number of connections that it took. */
async function sendAll(chance: Chance, encoding: Encoding, count: number): Promise<number> {
  let connections = 1;
  let sender = await Sender.connect(encoding);
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    if (!sender.isOpen) {
      sender = await Sender.connect(encoding);
      connections += 1;
    }
    await sender.send(Array.from({ length: AT_ONCE }, () => randomFrame(chance, encoding)));
  }
  sender.leave();
  return connections;
}

describe.each<Encoding>(['json', 'messagepack'])('random frames in %s', (encoding) => {
  it.each([
    ['the fixed seed', FIXED_SEED],
    ['the fresh seed', freshSeed()],
  ])('end connections at most, with %s %d', async (_which, seed) => {
    bystander = buildClient(hubs.url + PATH, { encoding });
    await bystander.start();
    await sendAll(new Chance(seed), encoding, AT_ONCE);
    await eventually('the bystander is alone', () => hubs.server.hub(PATH).size === 1);
    const before = await usedBytes();

    const frames = { areOver: false };
    let echoes = 0;
    const echoing = (async () => {
      for (; !frames.areOver; echoes += 1) expect(await bystander.invoke('Echo', echoes)).toBe(echoes);
    })();
    const chances = Array.from({ length: CLIENTS }, (_, client) => new Chance(seed + client));
    const connections = await Promise.all(chances.map((chance) => sendAll(chance, encoding, FRAMES / CLIENTS)));
    frames.areOver = true;
    await echoing;
    expect(echoes).toBeGreaterThan(0);
    // Some frames are so broken that they end a connection, and most are not.
    expect(connections.every((count) => count > 1 && count < FRAMES / CLIENTS / 10)).toBe(true);
    await eventually('the bystander is alone again', () => hubs.server.hub(PATH).size === 1);
    await leakCheck.released();
    expect((await usedBytes()) - before).toBeLessThan(TOLERATED_BYTES);
  });
});
