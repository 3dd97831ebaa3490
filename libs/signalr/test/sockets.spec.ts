import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientMethod, type HubConnection, type HubLimits, SignalRServer, type SignalRServerOptions, wire } from '../src/index.js';
import { eventually, settled } from './support/eventually.js';
import { HttpTransportClient, record } from './support/http-transport-client.js';
import { type PlainServer, startPlainServer } from './support/plain-server.js';

const PATH = '/hubs/raw';
const SECOND = 1_000;
const HANDSHAKE = record({ protocol: 'json', version: 1 });
const news = clientMethod('News', [wire.text]);
/** A frame of this size is smaller than the buffer of a socket, and leaves with others. */
const PIECE = 8_000;

let time: number;
let signalr: SignalRServer;
let server: PlainServer;
let hub: string;
let connections: HubConnection[];
let goodbyes: string[];
/** Ends the servers. */
let ends: Socket[];
let sockets: Socket[];

/** A server whose time passes only when a test lets it. */
async function start(limits: Partial<HubLimits>, options: SignalRServerOptions = {}): Promise<void> {
  signalr = new SignalRServer({ now: () => time, sweepIntervalMs: 3_600 * SECOND, closeGraceMs: 50, ...options });
  signalr.addHub({ path: PATH, limits }).lifecycle({
    onConnected: (connection) => void connections.push(connection),
    onDisconnected: (_connection, reason) => void goodbyes.push(reason),
  });
  server = await startPlainServer(signalr);
  server.http.on('connection', (socket) => ends.push(socket));
  hub = server.url + PATH;
}

/** A socket to the server, and everything that arrives there. */
async function open(): Promise<{ socket: Socket; end: Socket; text: () => string }> {
  const known = ends.length;
  const socket = connect(Number(new URL(hub).port), '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('error', () => undefined).on('data', (data: Buffer) => (text += data.toString('latin1')));
  await once(socket, 'connect');
  await eventually('the server has the socket', () => ends.length > known);
  return { socket, end: ends[known], text: () => text };
}

/** A WebSocket after its handshake, byte by byte. */
async function openWebSocket(): Promise<Awaited<ReturnType<typeof open>>> {
  const opened = await open();
  opened.socket.write(
    `GET ${PATH} HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  );
  opened.socket.write(frame(0x81, HANDSHAKE));
  await eventually('the handshake is answered', () => opened.text().endsWith('{}\x1e'));
  return opened;
}

/** A frame of less than 65,536 bytes, masked with zeros. `first` has its kind. */
function frame(first: number, payload = ''): Buffer {
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0xfe, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([first, ...size, 0, 0, 0, 0]), Buffer.from(payload)]);
}

/** Sends pieces one after the other, each when the server has read the former one. */
async function sendPieces({ socket, end }: { socket: Socket; end: Socket }, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    const read = end.bytesRead + piece.length;
    socket.write(piece);
    await eventually('the server has read the piece', () => end.bytesRead === read);
  }
}

function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    time += SECOND;
    signalr.sweep();
  }
}

beforeEach(() => {
  time = 0;
  connections = [];
  goodbyes = [];
  ends = [];
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop();
});

const PING = frame(0x89, 'ping');
const PONG = frame(0x8a, 'pong');
const EMPTY = frame(0x81);

describe('a WebSocket without unfinished messages', () => {
  it.each([
    ['a ping', [PING]],
    ['a ping in two pieces', [PING.subarray(0, 3), PING.subarray(3)]],
    ['a pong', [PONG]],
    ['an empty message', [EMPTY]],
    ['an empty message in two pieces', [EMPTY.subarray(0, 1), EMPTY.subarray(1)]],
    ['a message and half a ping', [Buffer.concat([frame(0x81, record({ type: 6 })), PING.subarray(0, 3)]), PING.subarray(3)]],
  ])('may be silent for as long as the hub allows after %s', async (_what, pieces) => {
    await start({ clientTimeoutMs: 120 * SECOND });
    const opened = await openWebSocket();
    await sendPieces(opened, pieces);
    pass(119);
    expect(goodbyes).toEqual([]);
    expect(connections[0].isOpen).toBe(true);
    pass(1);
    expect(connections[0].isOpen).toBe(false);
  });
});

describe('the bytes of an unfinished message', () => {
  it('count although pings stand between its fragments', async () => {
    await start({}, { maximumUnreadBytes: 10_000 });
    const opened = await openWebSocket();
    const fragment = (first: number): Buffer => Buffer.concat([frame(first, 'x'.repeat(4_000)), PING]);
    await sendPieces(opened, [fragment(0x01), fragment(0x00)]);
    expect(goodbyes).toEqual([]);
    opened.socket.write(fragment(0x00));
    await eventually('the connection ends', () => goodbyes.length > 0);
    expect(goodbyes).toEqual(['The server holds too many unfinished messages.']);
  });

  it('have no more time although pings stand between its fragments', async () => {
    await start({ clientTimeoutMs: 120 * SECOND });
    const opened = await openWebSocket();
    await sendPieces(opened, [frame(0x01, 'x'), PING]);
    pass(31);
    await eventually('the connection ends', () => goodbyes.length > 0);
    expect(goodbyes).toEqual(['A message took too long to arrive.']);
  });
});

describe('what was sent to a client has left', () => {
  /** Sends until the kernels take no more and less than the buffer of a socket waits in this process. */
  async function fill(connection: HubConnection): Promise<void> {
    while (!connection.isCongested) {
      connection.send(news, ['x'.repeat(PIECE)]);
      await turn();
    }
  }

  /** Waits for the connection to be drained, and finds that it is not while the client does not read. */
  async function expectNotDrained(connection: HubConnection): Promise<{ drained: Promise<boolean> }> {
    let isDrained = false;
    const drained = connection.drained().then(() => (isDrained = true));
    await settled('the messages', () => Number(isDrained));
    expect(isDrained).toBe(false);
    return { drained };
  }

  it('only when the client has read it, although little is left: over a WebSocket', async () => {
    await start({ sendHighWaterMark: 1_000 });
    const { socket } = await openWebSocket();
    socket.pause();
    await fill(connections[0]);
    const { drained } = await expectNotDrained(connections[0]);
    socket.resume();
    expect(await drained).toBe(true);
    expect(connections[0].isCongested).toBe(false);
  });

  it('only when the client has read it, although little is left: over server-sent events', async () => {
    await start({ sendHighWaterMark: 1_000 });
    const client = await HttpTransportClient.negotiate(hub);
    const events = await client.events();
    events.on('error', () => undefined);
    expect(await client.post(HANDSHAKE)).toMatchObject({ status: 200 });
    events.pause();
    await fill(connections[0]);
    const { drained } = await expectNotDrained(connections[0]);
    events.resume();
    expect(await drained).toBe(true);
    expect(connections[0].isCongested).toBe(false);
    client.leave();
  });

  it('only when earlier answers on its socket have left: over server-sent events', async () => {
    await start({});
    const polling = await HttpTransportClient.poll(hub);
    const client = await HttpTransportClient.negotiate(hub);
    const { socket, text } = await open();
    const get = (token: string, accept: string): string =>
      `GET ${PATH}?id=${encodeURIComponent(token)} HTTP/1.1\r\nHost: test\r\nAccept: ${accept}\r\n\r\n`;
    socket.write(get(polling.token, '*/*') + get(client.token, 'text/event-stream'));
    await eventually('the event stream is open', () => signalr.size === 2);
    expect(await client.post(HANDSHAKE)).toMatchObject({ status: 200 });
    const [first, second] = connections;
    second.send(news, ['x'.repeat(100_000)]);
    const { drained } = await expectNotDrained(second);
    first.send(news, ['go on']);
    expect(await drained).toBe(true);
    await eventually('the events arrive', () => text().includes('xxx'));
    for (const other of [polling, client]) other.leave();
  });
});
