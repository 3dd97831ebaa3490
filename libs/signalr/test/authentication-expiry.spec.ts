import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HubConnection as ClientConnection, HttpTransportType, HubConnectionState } from '@microsoft/signalr';
import { WebSocket } from 'ws';
import { type HubConnection, hubMethod, type HubOptions, SignalRServer, wire } from '../src/index.js';
import { CuttingProxy } from './support/cutting-proxy.js';
import { eventually } from './support/eventually.js';
import { type PlainServer, startPlainServer } from './support/plain-server.js';
import { buildClient, type ClientOptions } from './support/running-hubs.js';

const PATH = '/hubs/expiring';
const HOUR = 3_600_000;
const TOLD = 'The authentication has expired.';
const REASON = 'the authentication has expired';

let now: number;
let expiresAt: Date | undefined;
let signalr: SignalRServer;
let server: PlainServer;
let url: string;
let connections: HubConnection[];
let goodbyes: string[];
/** The number of requests that were authenticated. */
let asked: number;
/** The token that was shown last. */
let token: string;
let clients: ClientConnection[];
let proxies: CuttingProxy[];

/** A server whose time of day passes only when a test lets it. The authentication of clients expires at `expiresAt`. */
async function start(options: Partial<HubOptions> = {}): Promise<void> {
  signalr = new SignalRServer({ date: () => now, sweepIntervalMs: 24 * HOUR, closeGraceMs: 50 });
  const hub = signalr.addHub({
    path: PATH,
    statefulReconnect: true,
    closeOnAuthenticationExpiration: true,
    authenticate(request) {
      asked += 1;
      token = new URL(request.url ?? '', url).searchParams.get('id') ?? token;
      return { accept: true, user: undefined, userId: 'ann', expiresAt };
    },
    ...options,
  });
  hub.lifecycle({
    onConnected: (connection) => void connections.push(connection),
    onDisconnected: (_connection, reason) => void goodbyes.push(reason),
  });
  hub.method(hubMethod('Echo', [wire.text], wire.text), ({ args }) => args[0]);
  server = await startPlainServer(signalr);
  ({ url } = server);
}

async function connect(options: ClientOptions = {}, at = url): Promise<ClientConnection> {
  const client = buildClient(at + PATH, options);
  clients.push(client);
  await client.start();
  await eventually('the hub knows the client', () => connections.length > 0);
  return client;
}

/** Lets time pass, and lets the server look at the clock. */
function pass(milliseconds: number): void {
  now += milliseconds;
  signalr.sweep();
}

beforeEach(() => {
  now = Date.UTC(2030, 0, 1);
  expiresAt = new Date(now + HOUR);
  connections = [];
  goodbyes = [];
  asked = 0;
  token = '';
  clients = [];
  proxies = [];
});

afterEach(async () => {
  for (const client of clients) await client.stop();
  for (const proxy of proxies) await proxy.stop();
  await server.stop();
});

const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;

describe('a connection whose authentication expires', () => {
  it.each([
    { over: 'a WebSocket', transport: WebSockets, encoding: 'json' },
    { over: 'a WebSocket with stateful reconnect', transport: WebSockets, encoding: 'json', statefulReconnect: true },
    { over: 'server-sent events', transport: ServerSentEvents, encoding: 'json' },
    { over: 'long polling', transport: LongPolling, encoding: 'json' },
    { over: 'a WebSocket', transport: WebSockets, encoding: 'messagepack' },
    { over: 'a WebSocket with stateful reconnect', transport: WebSockets, encoding: 'messagepack', statefulReconnect: true },
    { over: 'long polling', transport: LongPolling, encoding: 'messagepack' },
  ] as const)('ends then and not before, and tells why: $encoding over $over', async (options) => {
    await start();
    const client = await connect(options);
    const closed = new Promise<Error | undefined>((resolve) => client.onclose(resolve));
    pass(HOUR - 1);
    expect(await client.invoke('Echo', 'still here')).toBe('still here');
    pass(1);
    expect((await closed)?.message).toContain(TOLD);
    await eventually('the hub has forgotten the client', () => signalr.hub(PATH).size === 0);
    expect(goodbyes).toEqual([REASON]);
  });

  it('lets its client come back with a new authentication', async () => {
    await start();
    const client = await connect({ reconnectDelays: [0, 0, 0] });
    const returned = new Promise((resolve) => client.onreconnected(resolve));
    expiresAt = new Date(now + 3 * HOUR);
    pass(HOUR);
    await returned;
    expect(await client.invoke('Echo', 'back')).toBe('back');
    pass(HOUR);
    expect(await client.invoke('Echo', 'still here')).toBe('still here');
    expect(goodbyes).toEqual([REASON]);
  });

  it('lasts as long as the authentication of the newest poll', async () => {
    await start();
    const client = await connect({ transport: LongPolling });
    expiresAt = new Date(now + 3 * HOUR);
    // The answer ends a poll, and the next one brings a new authentication.
    await client.invoke('Echo', 'poll again');
    const before = asked;
    await client.invoke('Echo', 'and once more');
    await eventually('another poll has come', () => asked > before + 1);
    pass(2 * HOUR);
    expect(await client.invoke('Echo', 'still here')).toBe('still here');
    expect(goodbyes).toEqual([]);
  });

  it.each([
    ['a WebSocket', { transport: WebSockets }],
    ['server-sent events', { transport: ServerSentEvents }],
  ])('lasts no longer because of a request that is no poll: over %s', async (_over, options) => {
    await start();
    await connect(options);
    expiresAt = undefined;
    for (const accept of ['*/*', 'text/event-stream']) {
      const { status } = await fetch(`${url}${PATH}?id=${encodeURIComponent(token)}`, { headers: { accept } });
      expect([400, 409]).toContain(status);
    }
    pass(HOUR);
    await eventually('the connection ends', () => goodbyes.length > 0);
    expect(goodbyes).toEqual([REASON]);
  });

  it('lasts as long as the authentication of the WebSocket over which its client has come back', async () => {
    await start();
    const proxy = await CuttingProxy.inFrontOf(url);
    proxies.push(proxy);
    const client = await connect({ statefulReconnect: true }, proxy.url);
    expiresAt = undefined;
    proxy.cutAll();
    expect(await client.invoke('Echo', 'back')).toBe('back');
    pass(1_000 * HOUR);
    expect(await client.invoke('Echo', 'still here')).toBe('still here');
    expect(connections).toHaveLength(1);
    expect(goodbyes).toEqual([]);
  });

  it('is refused when its client has not shaken hands by then', async () => {
    await start();
    const socket = new WebSocket(`${url.replace('http', 'ws')}${PATH}`);
    let told = '';
    socket.on('message', (data: Buffer) => (told += data.toString()));
    const closed = once(socket, 'close');
    await once(socket, 'open');
    await eventually('the hub has the connection', () => signalr.hub(PATH).size === 1);
    pass(HOUR);
    await closed;
    expect(told).toBe(`{"error":"${TOLD}"}\x1e`);
    expect(goodbyes).toEqual([]);
  });

  it('ends at once when the time of its end is no valid date', async () => {
    await start();
    expiresAt = new Date(Number.NaN);
    const client = await connect();
    const closed = new Promise<Error | undefined>((resolve) => client.onclose(resolve));
    pass(0);
    expect((await closed)?.message).toContain(TOLD);
  });

  it('goes on when the hub has not been told to end it', async () => {
    await start({ closeOnAuthenticationExpiration: false });
    const client = await connect();
    pass(2 * HOUR);
    expect(await client.invoke('Echo', 'still here')).toBe('still here');
    expect(client.state).toBe(HubConnectionState.Connected);
    expect(goodbyes).toEqual([]);
  });
});
