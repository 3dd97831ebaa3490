import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HubConnection as ClientConnection, HttpTransportType } from '@microsoft/signalr';
import { clientMethod, type HubContext, hubMethod, SignalRServer, stream, wire } from '../src/index.js';
import { CuttingProxy } from './support/cutting-proxy.js';
import { eventually } from './support/eventually.js';
import { MemoryBackplane } from './support/memory-backplane.js';
import { buildClient, type ClientOptions } from './support/running-hubs.js';
import { SharedHomes } from './support/shared-homes.js';

const PATH = '/hubs/shared';
const said = clientMethod('Said', [wire.text]);
const data = clientMethod('Data', [wire.bytes, wire.date, wire.bigint]);
const ask = clientMethod('Ask', [wire.text], wire.text);
const when = clientMethod('When', [], wire.date);
const nothing = clientMethod('Nothing', [], wire.text);

const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;
const WAYS = [
  { over: 'a WebSocket', transport: WebSockets, encoding: 'json' },
  { over: 'a WebSocket with stateful reconnect', transport: WebSockets, encoding: 'json', statefulReconnect: true },
  { over: 'server-sent events', transport: ServerSentEvents, encoding: 'json' },
  { over: 'long polling', transport: LongPolling, encoding: 'json' },
  { over: 'a WebSocket', transport: WebSockets, encoding: 'messagepack' },
  { over: 'a WebSocket with stateful reconnect', transport: WebSockets, encoding: 'messagepack', statefulReconnect: true },
  { over: 'long polling', transport: LongPolling, encoding: 'messagepack' },
] as const;

interface Node {
  readonly signalr: SignalRServer;
  readonly http: Server;
  readonly url: string;
  readonly context: HubContext;
}

interface Client {
  readonly connection: ClientConnection;
  readonly id: string;
  readonly heard: unknown[];
}

let nodes: Node[];
let homes: SharedHomes;
let clients: Client[];
let closing: (() => Promise<void>)[];

/** A node without NestJS. */
async function startNode(nodeId: string, backplane: MemoryBackplane): Promise<Node> {
  const signalr = new SignalRServer({ nodeId, backplane: backplane.of(nodeId), homes: (hub) => homes.of(hub), closeGraceMs: 50 });
  homes.servers.set(nodeId, signalr);
  const hub = signalr.addHub({
    path: PATH,
    statefulReconnect: true,
    authenticate: () => ({ accept: true, user: undefined, userId: 'ann' }),
  });
  hub.method(hubMethod('Echo', [wire.any], wire.any), ({ args }) => args[0]);
  hub.method(hubMethod('Where', [], wire.text), ({ connection }) => `${nodeId} ${connection.connectionId}`);
  hub.method(hubMethod('Total', [stream(wire.number)], wire.number), async ({ args }) => {
    let sum = 0;
    for await (const item of args[0]) sum += item;
    return sum;
  });
  const http = createServer((request, response) => {
    if (!signalr.handleRequest(request, response)) response.writeHead(404).end();
  });
  signalr.attach(http);
  return { signalr, http, url: await listen(http), context: signalr.context(PATH) };
}

async function listen(http: Server): Promise<string> {
  await once(http.listen(0, '127.0.0.1'), 'listening');
  closing.push(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

/** Passes each request to the next node in turn, as balancers do that know nothing of connections. */
async function startBalancer(): Promise<string> {
  let turn = 0;
  const next = (): SignalRServer => nodes[turn++ % nodes.length].signalr;
  const http = createServer((request, response) => void next().handleRequest(request, response));
  http.on('upgrade', (request, socket, head) => void next().upgrades.handle(request, socket, head));
  return listen(http);
}

async function connect(url: string, options: ClientOptions = {}): Promise<Client> {
  const connection = buildClient(url + PATH, options);
  const heard: unknown[] = [];
  connection.on('Said', (text: string) => heard.push(text));
  connection.on('Data', (...values: unknown[]) => heard.push(values));
  connection.on('Ask', (question: string) => `${question} Me.`);
  connection.on('When', () => (options.encoding === 'messagepack' ? new Date(0) : new Date(0).toJSON()));
  connection.on('Nothing', () => null);
  await connection.start();
  const client = { connection, heard, id: connection.connectionId ?? '' };
  clients.push(client);
  return client;
}

beforeEach(async () => {
  clients = [];
  closing = [];
  homes = new SharedHomes();
  const backplane = new MemoryBackplane();
  nodes = [await startNode('one', backplane), await startNode('two', backplane)];
});

afterEach(async () => {
  for (const { connection } of clients) await connection.stop();
  for (const { signalr } of nodes) await signalr.close();
  for (const close of closing) await close();
});

describe.each(WAYS)('two servers with a backplane, $encoding over $over', (way) => {
  let one: Node;
  let near: Client;
  let far: Client;

  beforeEach(async () => {
    [one] = nodes;
    [near, far] = [await connect(nodes[0].url, way), await connect(nodes[1].url, way)];
  });

  it('reach clients, groups, users and all on both, each once', async () => {
    const { context } = one;
    for (const room of ['room', 'other room']) for (const { id } of [near, far]) await context.addToGroup(id, room);
    context.client(far.id).send(said, ['client']);
    context.clients([near.id, far.id, far.id, 'one.gone']).send(said, ['clients']);
    context.group('room', [far.id]).send(said, ['not far']);
    context.groups(['room', 'other room'], [near.id]).send(said, ['groups']);
    context.users(['ann', 'bob', 'ann']).send(said, ['users']);
    context.user('ann').sendLatest('news', said, ['latest']);
    context.allExcept([near.id]).send(said, ['except']);
    context.all().send(said, ['all']);
    await eventually('both clients hear everything', () => near.heard.includes('all') && far.heard.includes('all'));
    expect(far.heard).toEqual(['client', 'clients', 'groups', 'users', 'latest', 'except', 'all']);
    expect(near.heard).toEqual(['clients', 'not far', 'users', 'latest', 'all']);
  });

  it('change the groups of connections on the other one', async () => {
    const { context } = one;
    await context.addToGroup(far.id, 'room');
    context.group('room').send(said, ['in']);
    await context.removeFromGroup(far.id, 'room');
    context.group('room').send(said, ['out']);
    await context.addToGroup('two.gone', 'room');
    await context.addToGroup('three.unknown', 'room');
    context.all().send(said, ['end']);
    await eventually('the clients hear the end', () => near.heard.includes('end') && far.heard.includes('end'));
    expect(far.heard).toEqual(['in', 'end']);
    expect(near.heard).toEqual(['end']);
  });

  it('carry values as the encoding of the client needs them', async () => {
    one.context.client(far.id).send(data, [new Uint8Array([1, 2, 255]), new Date(0), 7n]);
    await eventually('the client hears', () => far.heard.length > 0);
    const [[bytes, date, number]] = far.heard as [unknown[]];
    expect(way.encoding === 'json' ? Buffer.from(String(bytes), 'base64') : Buffer.from(bytes as Uint8Array)).toEqual(
      Buffer.from([1, 2, 255]),
    );
    expect(new Date(date as string)).toEqual(new Date(0));
    expect(number).toBe(7);
  });

  it('ask clients of the other one', async () => {
    const client = one.context.client(far.id);
    expect(await client.invoke(ask, ['Who?'])).toBe('Who? Me.');
    expect(await client.invoke(when, [])).toEqual(new Date(0));
    expect(await client.invoke(nothing, [])).toBeNull();
  });
});

describe('a question to a client of another server', () => {
  it.each([
    ['there is no such connection there', 'two.gone', "'two.gone' does not exist"],
    ['there is no such server', 'three.gone', "'three.gone' does not exist"],
    ['it would be one of its own', 'one.gone', "'one.gone' does not exist"],
  ])('fails when %s', async (_case, id, message) => {
    await expect(nodes[0].context.client(id).invoke(ask, ['Who?'])).rejects.toThrow(message);
  });

  it('fails as one to its own clients does', async () => {
    const far = await connect(nodes[1].url);
    const client = nodes[0].context.client(far.id);
    far.connection.off('Ask');
    far.connection.on('Ask', () => {
      throw new Error('No idea.');
    });
    await expect(client.invoke(ask, ['Who?'])).rejects.toMatchObject({ name: 'ClientResultError', message: 'Error: No idea.' });
    const silence = new Promise(() => undefined);
    far.connection.off('Ask');
    far.connection.on('Ask', () => silence);
    await expect(client.invoke(ask, ['Who?'], { timeoutMs: 20 })).rejects.toMatchObject({ name: 'ClientResultTimeoutError' });
    const asked = client.invoke(ask, ['Who?']);
    const failed = expect(asked).rejects.toMatchObject({ name: 'DisconnectedError' });
    await client.invoke(nothing, []);
    nodes[1].context.connection(far.id)?.abort('cut off');
    await failed;
    await expect(client.invoke(clientMethod('When', [], wire.number), [])).rejects.toThrow('does not exist');
  });

  it('has its answer checked on the server that asks', async () => {
    const far = await connect(nodes[1].url);
    await expect(nodes[0].context.client(far.id).invoke(clientMethod('When', [], wire.number), [])).rejects.toThrow('expected number');
  });
});

describe('two servers that share their homes', () => {
  it.each(WAYS)('serve a client whose requests reach either of them: $encoding over $over', async (way) => {
    const client = await connect(await startBalancer(), way);
    const [nodeId, id] = (await client.connection.invoke<string>('Where')).split(' ');
    expect(id).toBe(client.id);
    expect(id.startsWith(`${nodeId}.`)).toBe(true);
    expect(await client.connection.invoke('Echo', { text: 'grüße' })).toEqual({ text: 'grüße' });
    expect(homes.passedOn.length).toBeGreaterThan(0);
    const [home] = nodes.filter(({ signalr }) => signalr.nodeId === nodeId);
    expect(home.signalr.hub(PATH).size).toBe(1);
  });

  it('let a client come back over the other one with stateful reconnect', async () => {
    const proxy = await CuttingProxy.inFrontOf(await startBalancer());
    closing.unshift(() => proxy.stop());
    const client = await connect(proxy.url, { statefulReconnect: true });
    const before = await client.connection.invoke<string>('Where');
    for (let time = 0; time < 2; time++) {
      proxy.cutAll();
      expect(await client.connection.invoke('Where')).toBe(before);
    }
    expect(homes.passedOn).toContain('upgrade');
  });

  it('do not know a token any more when its connection has ended', async () => {
    const client = await connect(nodes[0].url, { transport: LongPolling });
    await client.connection.stop();
    await eventually('the connection is gone', () => nodes[0].signalr.hub(PATH).size === 0);
    const response = await fetch(`${nodes[1].url}${PATH}?id=${encodeURIComponent(client.id)}`);
    expect(response.status).toBe(404);
  });
});
