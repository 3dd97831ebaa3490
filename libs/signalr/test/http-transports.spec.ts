import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { clientMethod, type HubConnection, hubMethod, type HubOptions, SignalRServer, stream, wire } from '../src/index.js';
import { eventually, settled } from './support/eventually.js';
import { type Answer, answerTo, HttpTransportClient, record } from './support/http-transport-client.js';
import { type PlainServer, startPlainServer } from './support/plain-server.js';

const PATH = '/hubs/http';
const SECOND = 1_000;
/** Longer than a test may take: its clients leave by themselves. */
const LONG_GRACE_MS = 600 * SECOND;
const news = clientMethod('News', [wire.text]);

let time: number;
let signalr: SignalRServer;
let server: PlainServer;
let hub: string;
let connections: HubConnection[];
let goodbyes: string[];
let heard: string[];
/** The number of requests that have come. */
let arrived: number;
let release: () => void;
let open: HttpTransportClient[];

/** A server without NestJS. Its time passes only when a test lets it. */
async function start(options: Partial<HubOptions> = {}, closeGraceMs = 50): Promise<void> {
  signalr = new SignalRServer({ now: () => time, sweepIntervalMs: 3_600 * SECOND, nodeId: 'n', closeGraceMs });
  const served = signalr.addHub({ path: PATH, ...options });
  const released = new Promise<void>((resolve) => (release = resolve));
  served.lifecycle({
    onConnected: (connection) => void connections.push(connection),
    onDisconnected: (_connection, reason) => void goodbyes.push(reason),
  });
  served.method(hubMethod('Say', [wire.text]), ({ args }) => void heard.push(args[0]));
  served.method(hubMethod('Echo', [wire.text], wire.text), ({ args }) => args[0]);
  served.method(hubMethod('Wait', [], wire.text), async () => {
    await released;
    return 'waited';
  });
  served.method(hubMethod('Take', [stream(wire.text)], wire.number), async ({ args }) => {
    await released;
    let count = 0;
    for await (const _item of args[0] as AsyncIterable<string>) count += 1;
    return count;
  });
  server = await startPlainServer(signalr);
  server.http.prependListener('request', () => (arrived += 1));
  hub = server.url + PATH;
}

/** Lets time pass. */
function pass(milliseconds: number): void {
  time += milliseconds;
  signalr.sweep();
}

function remember(client: HttpTransportClient): HttpTransportClient {
  open.push(client);
  return client;
}

const negotiate = async (headers?: Record<string, string>): Promise<HttpTransportClient> =>
  remember(await HttpTransportClient.negotiate(hub, headers));

/** A client that polls, after its handshake. */
async function polling(): Promise<{ client: HttpTransportClient; connection: HubConnection }> {
  const client = remember(await HttpTransportClient.poll(hub));
  return { client, connection: connections[connections.length - 1] };
}

/** A client with an event stream, after its handshake, and the events it has received. */
async function streaming(): Promise<{
  client: HttpTransportClient;
  events: IncomingMessage;
  text: () => string;
  connection: HubConnection;
}> {
  const client = await negotiate();
  const events = await client.events();
  let received = '';
  events.on('error', () => undefined).on('data', (data: Buffer) => (received += data.toString()));
  expect(await client.post(record({ protocol: 'json', version: 1 }))).toMatchObject({ status: 200 });
  await eventually('the handshake is answered', () => received.includes('{}'));
  return { client, events, text: () => received, connection: connections[connections.length - 1] };
}

const call = (target: string, ...args: unknown[]): string => record({ type: 1, target, arguments: args });
const invocation = (id: string, target: string, ...args: unknown[]): string =>
  record({ type: 1, invocationId: id, target, arguments: args });

/** Polls, and waits until the server has the poll. */
async function waitingPoll(client: HttpTransportClient): Promise<{ readonly answer: Promise<Answer> }> {
  const before = arrived;
  const answer = client.poll();
  await eventually('the server has the poll', () => arrived > before);
  return { answer };
}

/** The only connection that ends does so for this reason. */
async function saysGoodbye(reason: string): Promise<void> {
  await eventually('a connection ends', () => goodbyes.length > 0);
  expect(goodbyes).toEqual([reason]);
}

beforeEach(() => {
  time = 0;
  arrived = 0;
  connections = [];
  goodbyes = [];
  heard = [];
  open = [];
});

afterEach(async () => {
  release();
  for (const client of open) client.leave();
  await server.stop();
});

describe('requests', () => {
  it.each([
    ['GET', '', 400, 'A connection id is required.'],
    ['POST', '', 400, 'A connection id is required.'],
    ['DELETE', '?id=', 400, 'A connection id is required.'],
    ['GET', '?id=invented', 404, 'No connection with this id.'],
    ['POST', '?id=invented', 404, 'No connection with this id.'],
    ['DELETE', '?id=invented', 404, 'No connection with this id.'],
    ['PUT', '?id=invented', 405, ''],
    ['OPTIONS', '', 405, ''],
    ['HEAD', '', 405, ''],
  ])('%s %j are answered %i', async (method, query, status, body) => {
    await start();
    const response = await fetch(hub + query, { method });
    expect([response.status, await response.text()]).toEqual([status, body]);
    if (status === 405) expect(response.headers.get('Allow')).toBe('GET, POST, DELETE');
  });

  it('of another user find no connection, to poll, send or end', async () => {
    await start({ authenticate: ({ headers }) => ({ accept: true, user: undefined, userId: headers.authorization }) });
    const client = remember(await HttpTransportClient.poll(hub, { authorization: 'ann' }));
    for (const headers of [{ authorization: 'bob' }, undefined]) {
      const stranger = remember(new HttpTransportClient(hub, client.token, headers));
      expect((await stranger.poll()).status).toBe(404);
      expect((await stranger.post(call('Say', 'I am Ann'))).status).toBe(404);
      expect((await stranger.delete()).status).toBe(404);
      const events = await stranger.events();
      expect(events.statusCode).toBe(404);
      events.resume();
    }
    expect((await client.post(call('Say', 'I am'))).status).toBe(200);
    expect(heard).toEqual(['I am']);
  });

  it('of foreign pages and of those without a credential are refused', async () => {
    const isAnn = ({ headers }: IncomingMessage): boolean => headers.authorization === 'ann';
    await start({
      checkOrigin: ({ headers }) => headers.origin === undefined,
      authenticate: (request) => (isAnn(request) ? { accept: true, user: 'Ann', userId: 'ann' } : { accept: false, status: 401 }),
    });
    const { token } = await negotiate({ authorization: 'ann' });
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await remember(new HttpTransportClient(hub, token, headers)).poll()).status;
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({ authorization: 'ann', origin: 'https://elsewhere.example' })).toBe(403);
    expect(await statusOf({ authorization: 'ann' })).toBe(200);
  });

  it('are refused when the hub does not decide about them', async () => {
    const undecided = (): never => undefined as never;
    await start({ authenticate: undecided });
    expect((await fetch(`${hub}/negotiate`, { method: 'POST' })).status).toBe(500);
    expect((await fetch(`${hub}?id=a`)).status).toBe(500);
    const [, { statusCode }] = (await once(new WebSocket(hub.replace('http', 'ws')), 'unexpected-response')) as [unknown, IncomingMessage];
    expect(statusCode).toBe(500);
    signalr.addHub({ path: '/hubs/origin', checkOrigin: undecided });
    expect((await fetch(`${new URL(hub).origin}/hubs/origin/negotiate`, { method: 'POST' })).status).toBe(403);
  });

  it('of unauthenticated clients are limited by source', async () => {
    await start({ limits: { maximumUnauthenticatedPerSource: 2 } });
    const { client } = await polling();
    await streaming();
    const third = await negotiate();
    expect(await third.poll()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect((await third.poll()).status).toBe(404);
    await client.delete();
    expect((await (await negotiate()).poll()).status).toBe(200);
  });

  it('cannot change the transport of a connection', async () => {
    await start();
    const { client } = await polling();
    const events = await client.events();
    expect(events.statusCode).toBe(400);
    events.resume();
    const other = await streaming();
    expect((await other.client.poll()).status).toBe(400);
    const again = await other.client.events();
    expect(again.statusCode).toBe(409);
    again.resume();
    expect(await other.client.delete()).toMatchObject({ status: 400, body: 'DELETE ends connections over long polling only.' });
  });

  it('are not for connections over WebSockets', async () => {
    await start();
    const client = await negotiate();
    const socket = new WebSocket(`${hub.replace('http', 'ws')}?id=${client.token}`);
    await once(socket, 'open');
    expect((await client.poll()).status).toBe(400);
    expect((await client.post('x')).status).toBe(405);
    expect((await client.delete()).status).toBe(400);
    socket.terminate();
  });

  it('for a transport that the hub does not offer are answered 404, and it is not announced', async () => {
    await start({ transports: ['LongPolling'] });
    const announced = await (await fetch(`${hub}/negotiate`, { method: 'POST' })).text();
    expect(announced).toContain('"availableTransports":[{"transport":"LongPolling","transferFormats":["Text","Binary"]}]');
    const client = await negotiate();
    const events = await client.events();
    expect(events.statusCode).toBe(404);
    events.resume();
    const socket = new WebSocket(`${hub.replace('http', 'ws')}?id=${client.token}`);
    const [, { statusCode }] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(statusCode).toBe(404);
    expect((await client.poll()).status).toBe(200);
  });
});

describe('long polling', () => {
  it('answers the first poll at once, and later ones when there are messages', async () => {
    await start();
    const client = await negotiate();
    const first = await client.poll();
    expect(first).toMatchObject({ status: 200, body: '' });
    expect(first.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'no-cache, no-store',
      'content-length': '0',
    });
    expect(await client.post(record({ protocol: 'json', version: 1 }) + invocation('1', 'Echo', 'a'))).toMatchObject({
      status: 200,
      body: '',
    });
    await eventually('the client is connected', () => connections.length === 1);
    let { body } = await client.poll();
    if (!body.includes('"result"')) body += (await client.poll()).body;
    expect(body).toBe(`{}\x1e${record({ type: 3, invocationId: '1', result: 'a' })}`);
    const poll = client.poll();
    connections[0].send(news, ['b']);
    expect((await poll).body).toBe(call('News', 'b'));
  });

  it('sends all messages of one turn in one answer', async () => {
    await start();
    const { client, connection } = await polling();
    const { answer } = await waitingPoll(client);
    for (const text of ['a', 'b', 'c']) connection.send(news, [text]);
    expect((await answer).body).toBe(['a', 'b', 'c'].map((text) => call('News', text)).join(''));
  });

  it('ends a poll with 204 when another one comes', async () => {
    await start();
    const { client, connection } = await polling();
    const former = await waitingPoll(client);
    const later = await waitingPoll(client);
    expect((await former.answer).status).toBe(204);
    connection.send(news, ['a']);
    expect(await later.answer).toMatchObject({ status: 200, body: call('News', 'a') });
  });

  it('answers a poll without messages with an empty body after its time-out', async () => {
    await start();
    const { client } = await polling();
    const { answer } = await waitingPoll(client);
    pass(89 * SECOND);
    expect(await Promise.race([answer, Promise.resolve('nothing yet')])).toBe('nothing yet');
    pass(SECOND);
    expect(await answer).toMatchObject({ status: 200, body: '' });
    expect(goodbyes).toEqual([]);
  });

  it('ends the connection of a client that does not poll', async () => {
    await start();
    await polling();
    pass(29 * SECOND);
    expect(goodbyes).toEqual([]);
    pass(SECOND);
    await saysGoodbye('the client has stopped polling');
    expect(signalr.hub(PATH).size).toBe(0);
  });

  it('keeps a client connected that polls and sends nothing', async () => {
    await start();
    const { client } = await polling();
    for (let polls = 0; polls < 5; polls += 1) {
      pass(29 * SECOND);
      const { answer } = await waitingPoll(client);
      pass(90 * SECOND);
      expect((await answer).status).toBe(200);
    }
    expect(goodbyes).toEqual([]);
  });

  it('ends by DELETE, with 204 for a poll that waits and 404 afterwards', async () => {
    await start();
    const { client } = await polling();
    const { answer } = await waitingPoll(client);
    expect((await client.delete()).status).toBe(202);
    expect((await answer).status).toBe(204);
    await saysGoodbye('the client has ended the connection');
    expect((await client.poll()).status).toBe(404);
    expect((await client.delete()).status).toBe(404);
  });

  it('delivers messages sent before the end, then answers 204', async () => {
    await start();
    const { client, connection } = await polling();
    connection.send(news, ['a']);
    connection.close({ error: 'No more.' });
    expect((await client.poll()).body).toBe(call('News', 'a') + record({ type: 7, error: 'No more.', allowReconnect: false }));
    expect((await client.poll()).status).toBe(204);
    expect((await client.poll()).status).toBe(404);
  });

  it('forgets messages that a client does not fetch after the end', async () => {
    await start();
    const { connection } = await polling();
    connection.close({ error: 'No more.' });
    pass(5 * SECOND);
    expect(signalr.hub(PATH).size).toBe(0);
  });

  it('ends polls at once when the server closes', async () => {
    await start({}, LONG_GRACE_MS);
    const { client } = await polling();
    const { answer } = await waitingPoll(client);
    const closing = signalr.close();
    expect((await answer).body).toBe(record({ type: 7, allowReconnect: true }));
    expect((await client.poll()).status).toBe(204);
    await closing;
    const late = await fetch(`${hub}/negotiate`, { method: 'POST' });
    expect(late.status).toBe(503);
  });

  it('ends the connection of a client that fetches none of too many messages', async () => {
    await start({ limits: { maximumUnsentBytes: 100_000 } });
    const { connection } = await polling();
    for (let sent = 0; sent < 200 && connection.isOpen; sent += 1) connection.send(news, ['x'.repeat(1_000)]);
    await saysGoodbye('the client reads too slowly');
  });

  it('loses no message in a poll whose client left while it was authenticated', async () => {
    let decide: (() => void) | undefined;
    let isSlow = false;
    let left = 0;
    await start({
      authenticate: () =>
        new Promise((resolve) => {
          decide = () => resolve({ accept: true, user: undefined });
          if (!isSlow) decide();
        }),
    });
    const { client, connection } = await polling();
    server.http.prependListener('request', (_request, response) => response.once('close', () => (left += 1)));
    isSlow = true;
    const before = arrived;
    const poll = client.begin('GET').on('error', () => undefined);
    await eventually('the server has the poll', () => arrived > before);
    poll.destroy();
    await eventually('the client has left', () => left > 0);
    decide?.();
    await new Promise(setImmediate);
    isSlow = false;
    connection.send(news, ['a']);
    await new Promise(setImmediate);
    const { answer } = await waitingPoll(client);
    pass(60 * SECOND);
    expect(await answer).toMatchObject({ status: 200, body: call('News', 'a') });
    expect(goodbyes).toEqual([]);
  });

  it('reports that everything has left only when the client has fetched it', async () => {
    await start();
    const { client, connection } = await polling();
    connection.send(news, ['x'.repeat(100_000)]);
    expect(connection.isCongested).toBe(true);
    let isDrained = false;
    const drained = connection.drained().then(() => (isDrained = true));
    await settled('the messages', () => Number(isDrained));
    expect(isDrained).toBe(false);
    expect((await client.poll()).body).toHaveLength(100_000 + call('News', '').length);
    await drained;
    expect(connection.isCongested).toBe(false);
  });
});

describe('requests that send', () => {
  it('are carried out in their order', async () => {
    await start();
    const { client } = await polling();
    const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`);
    for (const text of texts) expect((await client.post(call('Say', text))).status).toBe(200);
    expect(heard).toEqual(texts);
  });

  it('may hold a part of a message, and several', async () => {
    await start();
    const { client } = await polling();
    const bytes = call('Say', 'a') + call('Say', 'b');
    await client.post(bytes.slice(0, 50));
    await client.post(bytes.slice(50));
    expect(heard).toEqual(['a', 'b']);
  });

  it('wait while the connection takes nothing more', async () => {
    await start({ limits: { parallelInvocations: 1 } });
    const { client } = await polling();
    await client.post(invocation('1', 'Wait'));
    let isTaken = false;
    const held = client.post(call('Say', 'a') + call('Say', 'b'.repeat(90_000))).then(() => (isTaken = true));
    await settled('the requests', () => Number(isTaken));
    expect(isTaken).toBe(false);
    release();
    await held;
    await eventually('both are carried out', () => heard.length === 2);
  });

  it('hold back a stream that is not read, and lose nothing of it', async () => {
    await start();
    const { client } = await polling();
    const item = record({ type: 2, invocationId: 's', item: 'x'.repeat(10_000) });
    await client.post(record({ type: 1, invocationId: '1', target: 'Take', arguments: [], streamIds: ['s'] }));
    let isTaken = false;
    const sent = client.post(item.repeat(500) + record({ type: 3, invocationId: 's' })).then(() => (isTaken = true));
    await settled('the requests', () => Number(isTaken));
    expect(isTaken).toBe(false);
    release();
    await sent;
    expect((await client.poll()).body).toBe(record({ type: 3, invocationId: '1', result: 500 }));
  });

  it('are limited in size', async () => {
    await start({ limits: { maximumPostSize: 1_000 } });
    const { client } = await polling();
    expect(await client.post('x'.repeat(1_001))).toMatchObject({ status: 413, body: 'A request may have 1000 bytes.' });
    expect((await client.post(call('Say', 'still here'))).status).toBe(200);
    const endless = client.begin('POST', { 'Transfer-Encoding': 'chunked' });
    const refused = answerTo(endless);
    endless.write(call('Say', 'a').repeat(50));
    expect((await refused).status).toBe(413);
    endless.destroy();
    await saysGoodbye('a request of the client was too large');
  });

  it('end the connection when they break off', async () => {
    await start();
    const { client } = await polling();
    const broken = client.begin('POST', { 'Content-Length': '1000' }).on('error', () => undefined);
    broken.write(call('Say', 'a'));
    await eventually('the message has arrived', () => heard.length === 1);
    broken.destroy();
    await saysGoodbye('the client left in the middle of a request');
  });

  it('get errors about broken messages through the close message', async () => {
    await start();
    const { client } = await polling();
    expect((await client.post('{"type":1}\x1e')).status).toBe(200);
    const error = "Expected 'target' to be of type String.";
    expect((await client.poll()).body).toBe(record({ type: 7, error, allowReconnect: true }));
  });
});

describe('server-sent events', () => {
  it('begin with a comment and headers that keep proxies from holding them back', async () => {
    await start();
    const { events, text, connection } = await streaming();
    expect(events.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-store',
      'content-encoding': 'identity',
      'x-accel-buffering': 'no',
    });
    connection.send(news, ['a\nb']);
    signalr.context(PATH).all().send(news, ['c']);
    await eventually('both messages arrive', () => text().includes('"c"'));
    expect(text()).toBe(`:\r\ndata: {}\x1e\r\n\r\ndata: ${call('News', 'a\nb')}\r\n\r\ndata: ${call('News', 'c')}\r\n\r\n`);
  });

  it('carry no MessagePack', async () => {
    await start();
    const client = await negotiate();
    const events = await client.events();
    let received = '';
    events.on('data', (data: Buffer) => (received += data.toString()));
    const ended = once(events, 'end');
    await client.post(record({ protocol: 'messagepack', version: 1 }));
    await ended;
    expect(received).toContain("Cannot use the 'messagepack' protocol on the current transport.");
  });

  it('keep the connection alive by pings, and end when the client is silent', async () => {
    await start();
    const { client, events, text } = await streaming();
    pass(15 * SECOND);
    await eventually('a ping arrives', () => text().includes('{"type":6}'));
    await client.post(record({ type: 6 }));
    pass(29 * SECOND);
    expect(goodbyes).toEqual([]);
    const ended = once(events, 'end');
    pass(SECOND);
    await ended;
    expect(text()).toContain('The client was silent for 30000 ms.');
  });

  it('end the connection when the client closes them', async () => {
    await start();
    const { events } = await streaming();
    events.destroy();
    await saysGoodbye('the client has closed the event stream');
  });

  it('end at once when the server closes', async () => {
    await start({}, LONG_GRACE_MS);
    const { events, text } = await streaming();
    const ended = once(events, 'end');
    await signalr.close();
    await ended;
    expect(text()).toContain('{"type":7,"allowReconnect":true}');
  });

  it('end the connection of a client that reads too slowly, and no other', async () => {
    await start({ limits: { maximumUnsentBytes: 1_000_000 } });
    const slow = await streaming();
    const other = await streaming();
    slow.events.pause();
    for (let sent = 0; sent < 1_000 && slow.connection.isOpen; sent += 1) {
      slow.connection.send(news, ['x'.repeat(100_000)]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await saysGoodbye('the client reads too slowly');
    expect(other.connection.isOpen).toBe(true);
  });
});
