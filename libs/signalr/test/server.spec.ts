import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocketGateway } from '@nestjs/websockets';
import { HttpTransportType, HubConnectionState } from '@microsoft/signalr';
import { WebSocket } from 'ws';
import { type Authentication, type HubConnection, UpgradeRouter } from '../src/index.js';
import { Argument, Caller, HubMethod, SignalRModule, type SignalROptions } from '../src/nest/index.js';
import { eventually } from './support/eventually.js';
import { buildClient, type RunningHubs, startHubs } from './support/running-hubs.js';

const PATH = '/hubs/test';
const HANDSHAKE = '{"protocol":"json","version":1}\x1e';

let goodbyes: string[];

@WebSocketGateway({ path: PATH })
class TestGateway {
  async onDisconnected(connection: HubConnection): Promise<void> {
    await Promise.resolve();
    goodbyes.push(connection.connectionId);
  }

  @HubMethod('Echo')
  echo(@Argument(0) value: unknown): unknown {
    return value;
  }

  @HubMethod('WhoAmI')
  whoAmI(@Caller() connection: HubConnection): unknown {
    return { id: connection.connectionId, user: connection.user, address: connection.remoteAddress };
  }
}

let hubs: RunningHubs;

beforeEach(() => {
  goodbyes = [];
});

afterEach(() => hubs.app.close());

async function start(options: SignalROptions = {}): Promise<void> {
  hubs = await startHubs({ imports: [SignalRModule.forHubs(PATH)], providers: [TestGateway] }, options);
}

function authenticate({ headers }: IncomingMessage): Promise<Authentication> {
  const token = headers.authorization;
  if (token === 'Bearer ann') return Promise.resolve({ accept: true, user: { name: 'Ann' }, userId: 'ann' });
  return Promise.resolve({
    accept: false,
    status: 401,
    headers: { 'Content-Type': 'application/problem+json' },
    body: '{"title":"Unauthorized."}',
  });
}

function negotiate(query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${hubs.url}${PATH}/negotiate${query}`, { method: 'POST', headers });
}

function socketUrl(path = PATH): string {
  return hubs.url.replace('http', 'ws') + path;
}

/** The HTTP answer to a refused upgrade. */
async function refusal(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; type: string | undefined; body: string }> {
  const socket = new WebSocket(url, { headers });
  const [, response]: [unknown, IncomingMessage] = await new Promise((resolve) => {
    socket.on('unexpected-response', (request, answer) => resolve([request, answer]));
  });
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode ?? 0, type: response.headers['content-type'], body };
}

/** A WebSocket after its handshake. */
async function rawClient(handshake = HANDSHAKE): Promise<WebSocket> {
  const socket = new WebSocket(socketUrl());
  await once(socket, 'open');
  socket.send(handshake);
  await once(socket, 'message');
  return socket;
}

describe('negotiation', () => {
  it('answers version 1 with an id and a secret token that opens one connection', async () => {
    // The clock stands still, because tokens expire.
    await start({ nodeId: 'n1', now: () => 0 });
    const answer = await (await negotiate('?negotiateVersion=1')).json();
    expect(answer).toEqual({
      negotiateVersion: 1,
      connectionId: expect.stringMatching(/^n1\./),
      connectionToken: expect.not.stringMatching(/^n1\./),
      availableTransports: [
        { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
        { transport: 'ServerSentEvents', transferFormats: ['Text'] },
        { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
      ],
    });
    const { connectionToken }: { connectionToken: string } = JSON.parse(JSON.stringify(answer));
    const socket = new WebSocket(socketUrl(`${PATH}?id=${connectionToken}`));
    await once(socket, 'open');
    expect(await refusal(socketUrl(`${PATH}?id=${connectionToken}`))).toMatchObject({ status: 409 });
    socket.terminate();
  });

  it('answers version 0 with one id', async () => {
    await start();
    const response = await negotiate('');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(JSON.parse(await response.text()))).toEqual(['negotiateVersion', 'connectionId', 'availableTransports']);
  });

  it('refuses unknown and expired tokens', async () => {
    let now = 0;
    await start({ now: () => now, hubs: [{ path: PATH, limits: { negotiationLifetimeMs: 1_000 } }] });
    expect(await refusal(socketUrl(`${PATH}?id=invented`))).toMatchObject({ status: 404, body: 'No connection with this id.' });
    const { connectionToken }: { connectionToken: string } = JSON.parse(await (await negotiate('?negotiateVersion=1')).text());
    now += 1_000;
    expect(await refusal(socketUrl(`${PATH}?id=${connectionToken}`))).toMatchObject({ status: 404 });
  });

  it('is limited in the number of open tokens', async () => {
    await start({ hubs: [{ path: PATH, limits: { maximumPendingNegotiations: 1 } }] });
    expect((await negotiate('')).status).toBe(200);
    expect((await negotiate('')).status).toBe(503);
  });

  it.each(['/hubs/test/', '/Hubs/TEST'])('finds the hub under %s too', async (path) => {
    await start();
    const client = buildClient(hubs.url + path);
    await client.start();
    expect(await client.invoke('Echo', 'found')).toBe('found');
    await client.stop();
  });

  it('is not required of a client that sends an empty id', async () => {
    await start();
    const socket = new WebSocket(socketUrl(`${PATH}?id=`));
    await once(socket, 'open');
    socket.terminate();
  });

  it.each(['GET', 'PUT', 'HEAD'])('is not possible by %s', async (method) => {
    await start();
    const response = await fetch(`${hubs.url}${PATH}/negotiate`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('POST');
  });

  it('passes other requests on to the application', async () => {
    await start();
    expect((await fetch(`${hubs.url}/elsewhere/negotiate`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${hubs.url}${PATH}/elsewhere`)).status).toBe(404);
  });
});

describe('authentication', () => {
  const options: SignalROptions = { hubs: [{ path: PATH, authenticate, clientAddress: ({ headers }) => String(headers['x-real-ip']) }] };

  it('refuses negotiate with the answer of the authenticator', async () => {
    await start(options);
    const response = await negotiate('?negotiateVersion=1');
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.text()).toBe('{"title":"Unauthorized."}');
    await expect(buildClient(hubs.url + PATH).start()).rejects.toThrow("Status code '401'");
  });

  it('refuses an upgrade with the same answer', async () => {
    await start(options);
    expect(await refusal(socketUrl())).toEqual({ status: 401, type: 'application/problem+json', body: '{"title":"Unauthorized."}' });
  });

  it('passes the user and the address to the connection', async () => {
    await start(options);
    const client = buildClient(hubs.url + PATH, { headers: { Authorization: 'Bearer ann', 'X-Real-IP': '192.0.2.7' } });
    await client.start();
    expect(await client.invoke('WhoAmI')).toEqual({ id: client.connectionId, user: { name: 'Ann' }, address: '192.0.2.7' });
    await client.stop();
  });

  it('answers 500 when the authenticator fails', async () => {
    await start({ hubs: [{ path: PATH, authenticate: () => Promise.reject(new Error('database gone')) }] });
    expect((await negotiate('')).status).toBe(500);
    expect(await refusal(socketUrl())).toMatchObject({ status: 500, body: 'The connection could not be opened.' });
  });

  it('refuses forbidden origins', async () => {
    await start({
      hubs: [{ path: PATH, checkOrigin: ({ headers }) => headers.origin === undefined || headers.origin === 'https://good.example' }],
    });
    expect((await negotiate('', { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await negotiate('', { Origin: 'https://good.example' })).status).toBe(200);
    expect(await refusal(socketUrl(), { Origin: 'https://evil.example' })).toMatchObject({ status: 403 });
  });
});

describe('upgrades', () => {
  it('share the HTTP server with other endpoints, and get 404 elsewhere', async () => {
    await start();
    hubs.app.get(UpgradeRouter).route('/relay', (upgrade) => upgrade.refuse({ status: 418, body: 'relay' }));
    expect(await refusal(socketUrl('/relay'))).toMatchObject({ status: 418, body: 'relay' });
    expect(await refusal(socketUrl('/nowhere'))).toMatchObject({ status: 404 });
  });
});

describe('bad clients', () => {
  it('are told that a message is too large before they are disconnected', async () => {
    await start({ hubs: [{ path: PATH, limits: { maximumMessageSize: 1_000 } }] });
    const client = buildClient(hubs.url + PATH, { skipNegotiation: true });
    await client.start();
    const closed = new Promise<Error | undefined>((resolve) => client.onclose(resolve));
    await expect(client.invoke('Echo', 'x'.repeat(2_000))).rejects.toThrow();
    expect((await closed)?.message).toContain('The maximum message size of 1000 bytes was exceeded.');
  });

  it('may send several messages in one frame, even if they exceed the message limit together', async () => {
    await start({ hubs: [{ path: PATH, limits: { maximumMessageSize: 1_000 } }] });
    const socket = await rawClient();
    const message = `{"type":1,"invocationId":"1","target":"Echo","arguments":["${'x'.repeat(800)}"]}\x1e`;
    let answers = 0;
    socket.on('message', () => answers++);
    socket.send(message.repeat(5));
    await eventually('all calls are answered', () => answers === 5);
    socket.terminate();
  });

  it.each([
    ['text', '{"protocol":"json","version":1}\x1e', '{"type":1}\x1e', "Expected 'target' to be of type String."],
    ['bytes', '{"protocol":"messagepack","version":1}\x1e', Buffer.from([2, 0x91, 1]), "Expected 'target' to be of type String."],
  ])('get the reason when broken %s end the connection', async (_case, handshake, broken, error) => {
    await start();
    const socket = await rawClient(handshake);
    const answer = once(socket, 'message');
    const closed = once(socket, 'close');
    socket.send(broken);
    expect(String(await answer)).toContain(error);
    await closed;
  });

  it('do not affect others', async () => {
    await start();
    const client = buildClient(hubs.url + PATH);
    await client.start();
    for (const garbage of [
      '',
      '\x1e',
      '\x1e\x1e',
      'null\x1e',
      '{"type":1}\x1e',
      '{"type":99}\x1e',
      '\0\u0001',
      '[[[[',
      '{"type":2,"invocationId":"1","item":1}\x1e',
    ]) {
      for (const handshake of ['', HANDSHAKE, '{"protocol":"messagepack","version":1}\x1e']) {
        const socket = new WebSocket(socketUrl());
        await once(socket, 'open');
        socket.send(handshake + garbage);
        socket.send(Buffer.from(garbage));
        socket.close();
        await once(socket, 'close');
      }
    }
    expect(await client.invoke('Echo', 'still here')).toBe('still here');
    await client.stop();
  });
});

describe('reconnecting', () => {
  it('is offered to a client whose connection ended with an error', async () => {
    await start({ hubs: [{ path: PATH, limits: { maximumMessageSize: 1_000 } }] });
    const client = buildClient(hubs.url + PATH, { reconnectDelays: [0, 10, 50] });
    await client.start();
    const reconnected = new Promise((resolve) => client.onreconnected(resolve));
    await expect(client.invoke('Echo', 'x'.repeat(2_000))).rejects.toThrow('The maximum message size of 1000 bytes was exceeded.');
    await reconnected;
    expect(await client.invoke('Echo', 'again')).toBe('again');
    await client.stop();
  });
});

describe('shutdown', () => {
  it('closes all connections, waits for their ends, and accepts no new ones', async () => {
    // Longer than this test may take: the shutdown ends early, because all clients have disconnected.
    await start({ closeGraceMs: 600_000 });
    const clients = [
      buildClient(hubs.url + PATH),
      buildClient(hubs.url + PATH, { encoding: 'messagepack' }),
      buildClient(hubs.url + PATH, { transport: HttpTransportType.ServerSentEvents }),
      buildClient(hubs.url + PATH, { transport: HttpTransportType.LongPolling }),
    ];
    const returning = buildClient(hubs.url + PATH, { reconnectDelays: [60_000] });
    await Promise.all([...clients, returning].map((client) => client.start()));
    const closed = clients.map((client) => new Promise((resolve) => client.onclose(resolve)));
    const reconnecting = new Promise((resolve) => returning.onreconnecting(resolve));
    await hubs.app.close();
    expect(goodbyes).toHaveLength(5);
    await Promise.all(closed);
    await reconnecting;
    expect(returning.state).toBe(HubConnectionState.Reconnecting);
    await returning.stop();
    await expect(buildClient(hubs.url + PATH).start()).rejects.toThrow();
  });

  it('waits no longer than the grace period for a client that does not answer', async () => {
    await start({ closeGraceMs: 50 });
    const socket = await rawClient();
    socket.pause();
    await hubs.app.close();
    expect(goodbyes).toHaveLength(1);
    socket.terminate();
  });
});
