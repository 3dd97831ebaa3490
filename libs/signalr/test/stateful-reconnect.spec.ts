import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { request } from 'node:http';
import { WebSocketGateway } from '@nestjs/websockets';
import { type HubConnection as ClientConnection, HubConnectionState, Subject } from '@microsoft/signalr';
import { WebSocket } from 'ws';
import { clientMethod, type HubConnection, hubMethod, type HubOptions, stream, wire } from '../src/index.js';
import { Argument, HubMethod, SignalRModule } from '../src/nest/index.js';
import { eventually } from './support/eventually.js';
import { CuttingProxy } from './support/cutting-proxy.js';
import { answerTo } from './support/http-transport-client.js';
import { buildClient, type RunningHubs, startHubs } from './support/running-hubs.js';

const PATH = '/hubs/stateful';
const MESSAGES = 10_000;
/** The number of messages in each part, in which the line breaks once. */
const PART = 2_000;
const TEXT = 'x'.repeat(100);
/** More than a part, so that neither side waits for the acknowledgements that come once a second. */
const BUFFER = 1_048_576;

const numbered = clientMethod('Numbered', [wire.number, wire.text]);
const hub = {
  Take: hubMethod('Take', [wire.number, wire.text]),
  Count: hubMethod('Count', [wire.number], stream(wire.number)),
  Collect: hubMethod('Collect', [stream(wire.number)], wire.any),
};

let taken: number[];
let onTaken: (number: number) => void;
let connections: HubConnection[];
let goodbyes: string[];
let hubs: RunningHubs;
let proxy: CuttingProxy;
let client: ClientConnection;

@WebSocketGateway({ path: PATH })
class StatefulGateway {
  onConnected(connection: HubConnection): void {
    connections.push(connection);
  }

  onDisconnected(_connection: HubConnection, reason: string): void {
    goodbyes.push(reason);
  }

  @HubMethod(hub.Take)
  take(@Argument(0) number: number): void {
    taken.push(number);
    onTaken(number);
  }

  @HubMethod(hub.Count)
  async *count(@Argument(0) upTo: number): AsyncGenerator<number> {
    for (let number = 1; number <= upTo; number += 1) yield await Promise.resolve(number);
  }

  @HubMethod(hub.Collect)
  async collect(@Argument(0) items: AsyncIterable<number>): Promise<number[]> {
    const collected: number[] = [];
    for await (const number of items) collected.push(number);
    return collected;
  }

  @HubMethod('Echo')
  echo(@Argument(0) value: unknown): unknown {
    return value;
  }
}

/** The next numbers after another one. */
const numbers = (count: number, after = 0): number[] => Array.from({ length: count }, (_, index) => after + index + 1);

async function start(options: Partial<HubOptions> = {}): Promise<void> {
  hubs = await startHubs(
    { imports: [SignalRModule.forHubs(PATH)], providers: [StatefulGateway] },
    { hubs: [{ path: PATH, statefulReconnect: true, limits: { replayBufferSize: BUFFER }, ...options }], sweepIntervalMs: 20 },
  );
  proxy = await CuttingProxy.inFrontOf(hubs.url);
}

async function connect(encoding: 'json' | 'messagepack' = 'json', reconnectDelays?: number[]): Promise<HubConnection> {
  client = buildClient(proxy.url + PATH, { encoding, statefulReconnect: BUFFER, reconnectDelays });
  await client.start();
  await eventually('the gateway knows the client', () => connections.length > 0);
  return connections[connections.length - 1];
}

/** Waits until the client is connected. The client gives up when the line breaks again while it sends unacknowledged messages. */
async function isBack(): Promise<void> {
  expect(await client.invoke('Echo', 'back')).toBe('back');
}

/** Cuts the line when a message passes whose number ends a part. */
function cutAfterPart(number: number): void {
  if (number % PART === PART / 2) proxy.cutAll();
}

beforeEach(() => {
  taken = [];
  onTaken = () => undefined;
  connections = [];
  goodbyes = [];
});

afterEach(async () => {
  await client.stop();
  await proxy.stop();
  await hubs.app.close();
});

describe.each(['json', 'messagepack'] as const)('the official client with stateful reconnect, %s', (encoding) => {
  it('gets 10,000 messages in order over a line that breaks, none lost and none twice', async () => {
    await start();
    const connection = await connect(encoding);
    const heard: number[] = [];
    client.on('Numbered', (number: number) => {
      heard.push(number);
      cutAfterPart(number);
    });
    for (let sent = 0; sent < MESSAGES; sent += PART) {
      for (const number of numbers(PART, sent)) connection.send(numbered, [number, TEXT]);
      await eventually('the part arrives', () => heard.length >= sent + PART);
      await isBack();
    }
    expect(heard).toEqual(numbers(MESSAGES));
    expect(connections).toHaveLength(1);
    expect(goodbyes).toEqual([]);
  });

  it('sends 10,000 messages in order over a line that breaks, none lost and none twice', async () => {
    await start();
    await connect(encoding);
    onTaken = cutAfterPart;
    for (let sent = 0; sent < MESSAGES; sent += PART) {
      for (const number of numbers(PART, sent)) void client.send('Take', number, TEXT);
      await eventually('the part arrives', () => taken.length >= sent + PART);
      await isBack();
    }
    expect(taken).toEqual(numbers(MESSAGES));
    expect(connections).toHaveLength(1);
  });

  it('continues calls and streams in both directions', async () => {
    await start();
    await connect(encoding);
    const items: number[] = [];
    const streamed = new Promise<void>((resolve, reject) => {
      const next = (item: number): void => {
        items.push(item);
        if (item === 1_000) proxy.cutAll();
      };
      client.stream<number>('Count', 2_000).subscribe({ next, complete: resolve, error: reject });
    });
    const upload = new Subject<number>();
    const collected = client.invoke<number[]>('Collect', upload);
    for (const number of numbers(1_000)) upload.next(number);
    upload.complete();
    const echoes = await Promise.all(numbers(50).map((number) => client.invoke('Echo', number)));
    await streamed;
    expect(echoes).toEqual(numbers(50));
    expect(items).toEqual(numbers(2_000));
    expect(await collected).toEqual(numbers(1_000));
    expect(connections).toHaveLength(1);
  });
});

describe('stateful reconnect', () => {
  it('keeps the connection with its id and groups', async () => {
    await start();
    const connection = await connect();
    const id = client.connectionId;
    await hubs.server.context(PATH).addToGroup(connection.connectionId, 'room');
    const heard: unknown[] = [];
    client.on('Numbered', (...args) => heard.push(args));
    proxy.cutAll();
    hubs.server.context(PATH).group('room').send(numbered, [1, 'while away']);
    await eventually('the message arrives', () => heard.length > 0);
    expect(heard).toEqual([[1, 'while away']]);
    expect(client.connectionId).toBe(id);
    expect(client.state).toBe(HubConnectionState.Connected);
  });

  it('ends the connection of a client that does not come back in time', async () => {
    await start({ limits: { disconnectTimeoutMs: 100 } });
    const connection = await connect();
    await proxy.stop();
    await eventually('the gateway hears of the end', () => goodbyes.length > 0);
    expect(goodbyes).toEqual(['the client was lost and did not come back']);
    expect(connection.isOpen).toBe(false);
    expect(hubs.server.hub(PATH).size).toBe(0);
  });

  it('ends the connection at once when the client closes it', async () => {
    await start();
    await connect();
    await client.stop();
    await eventually('the gateway hears of the end', () => goodbyes.length > 0);
    expect(goodbyes).toEqual(['closed by the client']);
  });

  it('is followed by an automatic reconnect when the server has forgotten the connection', async () => {
    await start();
    const connection = await connect('json', [0, 10, 50]);
    const reconnected = new Promise((resolve) => client.onreconnected(resolve));
    connection.abort('test');
    expect(await reconnected).not.toBe(connection.connectionId);
    expect(await client.invoke('Echo', 'again')).toBe('again');
    expect(connections).toHaveLength(2);
  });

  it('does not delay the shutdown', async () => {
    await start();
    await connect();
    await proxy.stop();
    await eventually('the socket is lost', () => hubs.server.hub(PATH).size === 1);
    await hubs.server.close();
    expect(goodbyes).toHaveLength(1);
  });
});

describe('a WebSocket that shows the token of an open connection', () => {
  /** A WebSocket with the records it has received, one by one. */
  async function open(token: string): Promise<{ socket: WebSocket; records: object[] }> {
    const socket = new WebSocket(`${hubs.url.replace('http', 'ws')}${PATH}?id=${token}`);
    const records: object[] = [];
    socket.on('message', (data) => {
      const texts = (data as Buffer).toString().split('\x1e').slice(0, -1);
      records.push(...texts.map((json): object => JSON.parse(json)));
    });
    await once(socket, 'open');
    return { socket, records };
  }

  async function negotiate(): Promise<string> {
    const url = `${hubs.url}${PATH}/negotiate?negotiateVersion=1&useStatefulReconnect=true`;
    const { body } = await answerTo(request(url, { method: 'POST', agent: false }).end());
    const answer: { connectionToken: string } = JSON.parse(body);
    return answer.connectionToken;
  }

  /** The status of the answer to an attempt to connect. */
  async function statusOf(token: string): Promise<number | undefined> {
    const socket = new WebSocket(`${hubs.url.replace('http', 'ws')}${PATH}?id=${token}`);
    return new Promise((resolve) => {
      socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
      socket.on('open', () => resolve(101));
    });
  }

  const record = (message: object): string => `${JSON.stringify(message)}\x1e`;

  beforeEach(() => {
    client = buildClient('http://127.0.0.1:1');
  });

  it('takes over the connection, and the former socket is closed', async () => {
    await start();
    const token = await negotiate();
    const first = await open(token);
    const closed = once(first.socket, 'close');
    first.socket.send(record({ protocol: 'json', version: 2 }));
    first.socket.send(record({ type: 1, invocationId: '1', target: 'Echo', arguments: ['a'] }));
    await eventually('the call is answered', () => first.records.length >= 2);
    const second = await open(token);
    expect(await closed).toEqual([1000, expect.anything()]);
    second.socket.send(record({ type: 9, sequenceId: 1 }));
    second.socket.send(record({ type: 1, invocationId: '1', target: 'Echo', arguments: ['a'] }));
    second.socket.send(record({ type: 1, invocationId: '2', target: 'Echo', arguments: ['b'] }));
    // The server acknowledges at any time.
    const answers = (): unknown[] => second.records.filter((each) => (each as { type: number }).type !== 8);
    await eventually('both answers are there', () => answers().length >= 3);
    expect(answers()).toEqual([
      { type: 9, sequenceId: 1 },
      { type: 3, invocationId: '1', result: 'a' },
      { type: 3, invocationId: '2', result: 'b' },
    ]);
    expect(connections).toHaveLength(1);
    second.socket.terminate();
  });

  it('takes over the connection of a page that was left or reloaded', async () => {
    await start();
    const token = await negotiate();
    const first = await open(token);
    first.socket.send(record({ protocol: 'json', version: 2 }));
    await eventually('the connection is open', () => connections.length > 0);
    first.socket.close(1001);
    await once(first.socket, 'close');
    const second = await open(token);
    second.socket.send(record({ type: 9, sequenceId: 1 }));
    second.socket.send(record({ type: 1, invocationId: '1', target: 'Echo', arguments: ['a'] }));
    await eventually('the call is answered', () => second.records.some((each) => 'result' in each));
    expect(goodbyes).toEqual([]);
    expect(connections).toHaveLength(1);
    second.socket.terminate();
  });

  it('is refused when the connection was closed', async () => {
    await start();
    const token = await negotiate();
    const { socket } = await open(token);
    socket.send(record({ protocol: 'json', version: 2 }));
    socket.close();
    await eventually('the gateway hears of the end', () => goodbyes.length > 0);
    expect(await statusOf(token)).toBe(404);
  });

  it.each([
    ['before the handshake', undefined],
    ['after a handshake of version 1', 1],
  ])('is refused %s', async (_case, version) => {
    await start();
    const token = await negotiate();
    const { socket, records } = await open(token);
    if (version !== undefined) {
      socket.send(record({ protocol: 'json', version }));
      await eventually('the handshake is answered', () => records.length > 0);
    }
    expect(await statusOf(token)).toBe(409);
    socket.terminate();
  });

  it('is refused where the hub has no stateful reconnect, for as long as the connection lives', async () => {
    await start({ statefulReconnect: false });
    const token = await negotiate();
    const { socket } = await open(token);
    socket.send(record({ protocol: 'json', version: 2 }));
    await eventually('the connection is open', () => connections.length > 0);
    expect(await statusOf(token)).toBe(409);
    socket.terminate();
    await eventually('the gateway hears of the end', () => goodbyes.length > 0);
    expect(await statusOf(token)).toBe(404);
  });
});
