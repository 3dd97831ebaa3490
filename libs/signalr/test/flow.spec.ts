import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { WebSocketGateway } from '@nestjs/websockets';
import { type HubConnection as ClientConnection, HttpTransportType, HubConnectionState, Subject } from '@microsoft/signalr';
import { WebSocket } from 'ws';
import { clientMethod, type HubConnection, hubMethod, stream, wire, type WireType } from '../src/index.js';
import { Argument, Caller, HubMethod, SignalRModule } from '../src/nest/index.js';
import { eventually, settled } from './support/eventually.js';
import { CuttingProxy } from './support/cutting-proxy.js';
import { buildClient, type ClientOptions, type RunningHubs, startHubs } from './support/running-hubs.js';

const PATH = '/hubs/flow';
const ITEM_SIZE = 30_000;
const CAPACITY = 10;
const DOWNLOAD = 40;
/** More than a download has, so that the server does not wait for the acknowledgements of stateful reconnect, which come once a second. */
const REPLAY_BYTES = 3 * 1_048_576;

/** Kernels buffer some megabytes of a loopback connection on both sides. Not much more may be in flight. */
const MOST_BYTES_IN_FLIGHT = 16 * 1_048_576;

/** Counts the items that the server received, and those that it generated. */
let received = 0;
let pulled = 0;
/** Downloads whose generator has ended. */
let ended = 0;
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
  /** Reads its stream once the test lets it. */
  @HubMethod(hub.Upload)
  async upload(@Argument(0) items: AsyncIterable<Uint8Array>): Promise<number> {
    await released;
    let sum = 0;
    for await (const item of items) sum += item[0] ?? 0;
    return sum;
  }

  @HubMethod(hub.Download)
  async *download(@Argument(0) count: number): AsyncGenerator<Uint8Array> {
    try {
      for (let index = 0; index < count; index++) {
        pulled++;
        yield await Promise.resolve(new Uint8Array(ITEM_SIZE).fill(index));
      }
    } finally {
      ended++;
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

const LIMITS = {
  streamBufferCapacity: CAPACITY,
  replayBufferSize: REPLAY_BYTES,
  // The raw clients below send no pings, for any length of the tests.
  clientTimeoutMs: 600_000,
};

let hubs: RunningHubs;

beforeEach(async () => {
  received = 0;
  pulled = 0;
  ended = 0;
  stalled = [];
  released = new Promise((resolve) => (release = resolve));
  hubs = await startHubs(
    { imports: [SignalRModule.forHubs(PATH)], providers: [FlowGateway] },
    { hubs: [{ path: PATH, statefulReconnect: true, limits: LIMITS }], closeGraceMs: 100 },
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

const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;

/** Server-sent events carry text only. */
const WAYS = [
  { over: 'a WebSocket', transport: WebSockets, encoding: 'json' },
  { over: 'a WebSocket', transport: WebSockets, encoding: 'messagepack' },
  { over: 'a WebSocket with stateful reconnect', transport: WebSockets, encoding: 'json', statefulReconnect: REPLAY_BYTES },
  { over: 'a WebSocket with stateful reconnect', transport: WebSockets, encoding: 'messagepack', statefulReconnect: REPLAY_BYTES },
  { over: 'server-sent events', transport: ServerSentEvents, encoding: 'json' },
  { over: 'long polling', transport: LongPolling, encoding: 'json' },
  { over: 'long polling', transport: LongPolling, encoding: 'messagepack' },
] as const satisfies readonly (ClientOptions & { readonly over: string })[];

/** The official clients of a test. */
const clients: ClientConnection[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.stop()));
});

async function connect(options: ClientOptions, url = hubs.url): Promise<ClientConnection> {
  const client = buildClient(url + PATH, options);
  clients.push(client);
  await client.start();
  return client;
}

/** Downloads so many items. Calls `onItem` with the number of those that have come, and returns that number when the download is over. */
function download(client: ClientConnection, count: number, onItem: (items: number) => unknown = () => undefined): Promise<number> {
  let items = 0;
  return new Promise((resolve, reject) => {
    const next = (): unknown => onItem(++items);
    client.stream('Download', count).subscribe({ next, complete: () => resolve(items), error: reject });
  });
}

describe.each(WAYS)('back-pressure, $encoding over $over', (way) => {
  const itemOf = (index: number): Uint8Array | string => {
    const data = new Uint8Array(ITEM_SIZE).fill(index % 10);
    return way.encoding === 'json' ? Buffer.from(data).toString('base64') : data;
  };

  /** An upload of so many items, none of which the server reads before it is released. */
  function upload(client: ClientConnection, count: number): Promise<number> {
    const items = new Subject<Uint8Array | string>();
    const result = client.invoke<number>('Upload', items);
    for (let index = 0; index < count; index++) items.next(itemOf(index));
    items.complete();
    return result;
  }

  it('of a stalled reader reaches the uploading client, and nothing is lost', async () => {
    const count = 60;
    const result = upload(await connect(way), count);
    await eventually('the buffer is full', () => received >= CAPACITY);
    // A few more items may be in the chunk that was being read when the buffer filled.
    expect(await settled('the number of items received', () => received)).toBeLessThanOrEqual(CAPACITY + 5);
    release();
    expect(await result).toBe(270);
    expect(received).toBe(count);
  });

  it('of one connection does not affect another', async () => {
    const [busy, other] = [await connect(way), await connect(way)];
    const result = upload(busy, 40);
    await eventually('the buffer is full', () => received >= CAPACITY);
    expect(await other.invoke('Ping')).toBe('pong');
    release();
    expect(await result).toBe(180);
  });

  it('does not interrupt a download', async () => {
    const client = await connect(way);
    expect(await download(client, DOWNLOAD)).toBe(DOWNLOAD);
  });
});

const isStateful = (way: ClientOptions): boolean => way.statefulReconnect !== undefined;

describe.each(WAYS)('automatic reconnect, $encoding over $over', (way) => {
  const RECONNECTING = { ...way, reconnectDelays: [0, 10, 50, 100, 200, 400] };
  let proxy: CuttingProxy;

  beforeEach(async () => {
    proxy = await CuttingProxy.inFrontOf(hubs.url);
  });

  afterEach(() => proxy.stop());

  it('gives the client a new connection when the server has ended the former one', async () => {
    const client = await connect(RECONNECTING);
    const before = client.connectionId ?? '';
    const reconnected = new Promise((resolve) => client.onreconnected(resolve));
    hubs.server.hub(PATH).connection(before)?.abort('test');
    expect(await reconnected).not.toBe(before);
    expect(await client.invoke('Ping')).toBe('pong');
    await eventually('the former connection is gone', () => hubs.server.hub(PATH).size === 1);
  });

  it.runIf(isStateful(way))('is not needed when the line breaks in the middle of a download: nothing is lost', async () => {
    const client = await connect(RECONNECTING, proxy.url);
    const before = client.connectionId;
    const cut = (items: number): unknown => items % (DOWNLOAD / 2) === 5 && proxy.cutEverything();
    expect(await download(client, DOWNLOAD, cut)).toBe(DOWNLOAD);
    expect([client.connectionId, pulled, ended]).toEqual([before, DOWNLOAD, 1]);
  });

  it.runIf(!isStateful(way))('follows when the line breaks in the middle of a download, which ends on both sides', async () => {
    const client = await connect(RECONNECTING, proxy.url);
    const before = client.connectionId;
    const reconnected = new Promise((resolve) => client.onreconnected(resolve));
    await expect(download(client, 10_000, (items) => items === 20 && proxy.cutEverything())).rejects.toThrow();
    expect(await reconnected).not.toBe(before);
    // A client that polls may come back within a time before the server gives it up.
    hubs.server
      .hub(PATH)
      .connection(before ?? '')
      ?.abort('test');
    await eventually('the generator ends', () => ended === 1);
    expect(pulled).toBeLessThan(10_000);
    expect(await download(client, DOWNLOAD)).toBe(DOWNLOAD);
    expect(client.state).toBe(HubConnectionState.Connected);
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
