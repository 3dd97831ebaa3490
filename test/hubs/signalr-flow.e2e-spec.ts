import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { WebSocketGateway } from '@nestjs/websockets';
import { Subject } from '@microsoft/signalr';
import { WebSocket } from 'ws';
import { clientMethod, type HubConnection, hubMethod, stream, wire, type WireType } from '#libs/signalr';
import { Argument, Caller, HubMethod, SignalRModule } from '#libs/signalr/nest';
import { eventually, settled } from '../support/eventually.js';
import { buildClient, type RunningHubs, startHubs } from './signalr-support.js';

const PATH = '/hubs/flow';
const ITEM_SIZE = 30_000;
const CAPACITY = 10;

/** Kernels buffer some megabytes of a loopback connection on both sides. Not much more may be in flight. */
const MOST_BYTES_IN_FLIGHT = 16 * 1_048_576;

/** Counts the items that the server received, and those that it generated. */
let received = 0;
let pulled = 0;
let release: () => void;
let released: Promise<void>;
let stalled: HubConnection[] = [];

const countedBytes: WireType<Uint8Array> = {
  ...wire.bytes,
  decode(raw, encoding) {
    received++;
    return wire.bytes.decode(raw, encoding);
  },
};
const news = clientMethod('News', [wire.text]);
const hub = {
  Upload: hubMethod('Upload', [stream(countedBytes)], wire.number),
  Download: hubMethod('Download', [wire.number], stream(wire.bytes)),
};

@WebSocketGateway({ path: PATH })
class FlowGateway {
  /** Does not read its stream until the test lets it. */
  @HubMethod(hub.Upload)
  async upload(@Argument(0) items: AsyncIterable<Uint8Array>): Promise<number> {
    await released;
    let sum = 0;
    for await (const item of items) sum += item[0] ?? 0;
    return sum;
  }

  @HubMethod(hub.Download)
  async *download(@Argument(0) count: number): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < count; index++) {
      pulled++;
      yield await Promise.resolve(new Uint8Array(ITEM_SIZE).fill(index));
    }
  }

  @HubMethod('Stall')
  stall(@Caller() connection: HubConnection): void {
    stalled.push(connection);
  }

  @HubMethod('Ping')
  ping(): string {
    return 'pong';
  }
}

let hubs: RunningHubs;

beforeEach(async () => {
  received = 0;
  pulled = 0;
  stalled = [];
  released = new Promise((resolve) => (release = resolve));
  hubs = await startHubs(
    { imports: [SignalRModule.forHubs(PATH)], providers: [FlowGateway] },
    // The raw clients below send no pings, however long the tests take.
    { hubs: [{ path: PATH, limits: { streamBufferCapacity: CAPACITY, clientTimeoutMs: 600_000 } }] },
  );
  // Full streams get nothing more.
  hubs.server.runningHub(PATH).slowStreamBuffer = CAPACITY;
});

afterEach(() => hubs.app.close());

async function rawClient(): Promise<WebSocket> {
  const socket = new WebSocket(hubs.url.replace('http', 'ws') + PATH);
  await once(socket, 'open');
  socket.send('{"protocol":"messagepack","version":1}\x1e');
  await once(socket, 'message');
  return socket;
}

describe.each(['json', 'messagepack'] as const)('back-pressure, %s', (encoding) => {
  const itemOf = (index: number): Uint8Array | string => {
    const data = new Uint8Array(ITEM_SIZE).fill(index % 10);
    return encoding === 'json' ? Buffer.from(data).toString('base64') : data;
  };

  it('of a stalled reader reaches the uploading client, and nothing is lost', async () => {
    const client = buildClient(hubs.url + PATH, { encoding });
    await client.start();
    const items = new Subject<Uint8Array | string>();
    const result = client.invoke<number>('Upload', items);
    const count = 1_000;
    for (let index = 0; index < count; index++) items.next(itemOf(index));
    items.complete();
    await eventually('the buffer is full', () => received >= CAPACITY);
    // A few more items may be in the chunk that was being read when the buffer filled.
    expect(await settled('the number of items received', () => received)).toBeLessThanOrEqual(CAPACITY + 5);
    release();
    expect(await result).toBe(4_500);
    expect(received).toBe(count);
    await client.stop();
  });

  it('of one connection does not affect another', async () => {
    const [busy, other] = [buildClient(hubs.url + PATH, { encoding }), buildClient(hubs.url + PATH, { encoding })];
    await Promise.all([busy.start(), other.start()]);
    const items = new Subject<Uint8Array | string>();
    const result = busy.invoke<number>('Upload', items);
    for (let index = 0; index < 100; index++) items.next(itemOf(0));
    items.complete();
    await eventually('the buffer is full', () => received >= CAPACITY);
    expect(await other.invoke('Ping')).toBe('pong');
    release();
    expect(await result).toBe(0);
    await Promise.all([busy.stop(), other.stop()]);
  });

  it('does not interrupt a download', async () => {
    const client = buildClient(hubs.url + PATH, { encoding });
    await client.start();
    let items = 0;
    await new Promise<void>((resolve, reject) => {
      client.stream('Download', 500).subscribe({ next: () => items++, complete: resolve, error: reject });
    });
    expect(items).toBe(500);
    await client.stop();
  });
});

describe('a client that stops reading', () => {
  it('pauses the generator of its download, which continues when it reads again', async () => {
    const socket = await rawClient();
    socket.pause();
    const count = 4_000;
    // [4, {}, "1", "Download", [4000], []]
    socket.send(Buffer.from('13960480a131a8446f776e6c6f616491cd0fa090', 'hex'));
    await eventually('the download begins', () => pulled > 0);
    const stoppedAt = await settled('the number of items sent', () => pulled);
    expect(stoppedAt * ITEM_SIZE).toBeLessThan(MOST_BYTES_IN_FLIGHT);
    socket.resume();
    await eventually('the whole file is sent', () => pulled === count);
    socket.terminate();
  });

  it('is disconnected when nothing can be sent to it, and others receive everything', async () => {
    const reader = buildClient(hubs.url + PATH);
    let heard = 0;
    reader.on('News', () => heard++);
    await reader.start();
    const socket = await rawClient();
    socket.send(Buffer.from('0c960180c0a55374616c6c9090', 'hex'));
    await eventually('the client is known', () => stalled.length === 1);
    socket.pause();
    const [connection] = stalled;
    const all = hubs.server.context(PATH).all();
    let sent = 0;
    await eventually('the connection is ended', () => {
      all.send(news, ['x'.repeat(100_000)]);
      sent++;
      return !connection.isOpen;
    });
    expect(sent * 100_000).toBeLessThan(MOST_BYTES_IN_FLIGHT + 4_194_304);
    await eventually('the reader hears everything', () => heard === sent);
    await reader.stop();
    socket.terminate();
  });

  it('receives the newest state when it reads again', async () => {
    const socket = await rawClient();
    socket.send(Buffer.from('0c960180c0a55374616c6c9090', 'hex'));
    await eventually('the client is known', () => stalled.length === 1);
    const [connection] = stalled;
    socket.pause();
    let sent = 0;
    await eventually('enough is sent', () => {
      for (let index = 0; index < 50; index++) connection.sendLatest('device', news, [`${++sent} ${'x'.repeat(50_000)}`]);
      return sent >= 2_000;
    });
    expect(connection.isOpen).toBe(true);
    const heard: string[] = [];
    socket.on('message', (data: Buffer) => heard.push(data.toString('latin1', 0, 40)));
    socket.resume();
    await eventually('the newest arrives', () => heard.some((text) => text.includes('2000 x')));
    expect(heard.length).toBeLessThan(MOST_BYTES_IN_FLIGHT / 50_000);
    socket.terminate();
  });
});
