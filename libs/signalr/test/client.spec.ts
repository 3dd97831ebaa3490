import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Injectable } from '@nestjs/common';
import { WebSocketGateway } from '@nestjs/websockets';
import { type HubConnection as ClientConnection, HttpTransportType, HubConnectionState, Subject } from '@microsoft/signalr';
import {
  clientMethod,
  type HubConnection,
  type HubContext,
  HubError,
  hubMethod,
  type OnHubConnected,
  type OnHubDisconnected,
  stream,
  wire,
} from '../src/index.js';
import { Argument, Caller, HubMethod, InjectHub, InvocationAbort, SignalRModule } from '../src/nest/index.js';
import { eventually } from './support/eventually.js';
import { buildClient, type RunningHubs, startHubs } from './support/running-hubs.js';

const PATH = '/hubs/test';
const said = clientMethod('Said', [wire.text, wire.number]);
const ask = clientMethod('Ask', [wire.text], wire.text);

const hub = {
  Add: hubMethod('Add', [wire.number, wire.number], wire.number),
  Invert: hubMethod('Invert', [wire.bytes], wire.bytes),
  Total: hubMethod('Total', [wire.text, stream(wire.number)], wire.text),
  Drop: hubMethod('Drop', [stream(wire.any)], wire.text),
  Count: hubMethod('Count', [wire.number], stream(wire.number)),
  Endless: hubMethod('Endless', [], stream(wire.number)),
};

/** The events and actions of the gateway below. */
const log = { connected: [] as string[], disconnected: [] as string[], forgotten: 0, cancelled: 0, uploadErrors: [] as string[] };

@Injectable()
@WebSocketGateway({ path: PATH })
class TestGateway implements OnHubConnected, OnHubDisconnected {
  constructor(@InjectHub(PATH) private readonly clients: HubContext) {}

  onConnected(connection: HubConnection): void {
    log.connected.push(connection.connectionId);
  }

  onDisconnected(connection: HubConnection): void {
    log.disconnected.push(connection.connectionId);
  }

  @HubMethod(hub.Add)
  add(@Argument(0) left: number, @Argument(1) right: number): number {
    return left + right;
  }

  @HubMethod(hub.Invert)
  invert(@Argument(0) data: Uint8Array): Uint8Array {
    return data.map((byte) => 255 - byte);
  }

  @HubMethod('Echo')
  async echo(@Argument(0) value: unknown): Promise<unknown> {
    await Promise.resolve();
    return value;
  }

  @HubMethod('WhoAmI')
  whoAmI(@Caller() connection: HubConnection): string {
    return connection.connectionId;
  }

  @HubMethod('Forget')
  forget(): never {
    log.forgotten++;
    throw new Error('nobody hears this');
  }

  @HubMethod('FailSecretly')
  failSecretly(): never {
    throw new Error('the password is swordfish');
  }

  @HubMethod('FailOpenly')
  failOpenly(): never {
    throw new HubError('Try again tomorrow.');
  }

  @HubMethod('AskMe')
  async askMe(@Caller() connection: HubConnection, @Argument(0) question: unknown): Promise<unknown> {
    return await connection.invoke(ask, [String(question)]);
  }

  @HubMethod('Join')
  join(@Caller() connection: HubConnection, @Argument(0) group: unknown): Promise<void> {
    return this.clients.addToGroup(connection.connectionId, String(group));
  }

  @HubMethod('Leave')
  leave(@Caller() connection: HubConnection, @Argument(0) group: unknown): Promise<void> {
    return this.clients.removeFromGroup(connection.connectionId, String(group));
  }

  @HubMethod(hub.Total)
  async total(@Argument(0) label: string, @Argument(1) numbers: AsyncIterable<number>): Promise<string> {
    let sum = 0;
    try {
      for await (const number of numbers) sum += number;
    } catch (error) {
      log.uploadErrors.push(String(error));
      throw new HubError('The upload broke.', { cause: error });
    }
    return `${label} ${sum}`;
  }

  @HubMethod(hub.Drop)
  drop(): string {
    return 'dropped';
  }

  @HubMethod(hub.Count)
  async *count(@Argument(0) upTo: number): AsyncGenerator<number> {
    for (let number = 1; number <= upTo; number++) {
      if (number === 13) throw new HubError('Thirteen is unlucky.');
      yield number;
      await Promise.resolve();
    }
  }

  @HubMethod(hub.Endless)
  async *endless(@InvocationAbort() signal: AbortSignal): AsyncGenerator<number> {
    try {
      for (let number = 0; !signal.aborted; number++) {
        yield number;
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      log.cancelled++;
    }
  }
}

const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;

describe.each([
  { over: 'a WebSocket', transport: WebSockets, encoding: 'json' },
  { over: 'a WebSocket at once', transport: WebSockets, encoding: 'json', skipNegotiation: true },
  { over: 'a WebSocket with stateful reconnect', transport: WebSockets, encoding: 'json', statefulReconnect: true },
  { over: 'server-sent events', transport: ServerSentEvents, encoding: 'json' },
  { over: 'long polling', transport: LongPolling, encoding: 'json' },
  { over: 'a WebSocket', transport: WebSockets, encoding: 'messagepack' },
  { over: 'a WebSocket at once', transport: WebSockets, encoding: 'messagepack', skipNegotiation: true },
  { over: 'a WebSocket with stateful reconnect', transport: WebSockets, encoding: 'messagepack', statefulReconnect: true },
  { over: 'long polling', transport: LongPolling, encoding: 'messagepack' },
] as const)('the official client, $encoding over $over', (options) => {
  let hubs: RunningHubs;
  let client: ClientConnection;
  let context: HubContext;

  beforeAll(async () => {
    hubs = await startHubs(
      { imports: [SignalRModule.forHubs(PATH)], providers: [TestGateway] },
      { nodeId: 'node-1', hubs: [{ path: PATH, statefulReconnect: true }] },
    );
    context = hubs.server.context(PATH);
  });

  afterAll(() => hubs.app.close());

  afterEach(() => client.stop());

  const connect = async (): Promise<ClientConnection> => {
    client = buildClient(hubs.url + PATH, options);
    await client.start();
    return client;
  };

  it('invokes a method and receives its result', async () => {
    await connect();
    expect(await client.invoke('Add', 2, 3)).toBe(5);
    expect(await client.invoke('add', 4, 5)).toBe(9);
  });

  it('receives values of every kind unchanged', async () => {
    await connect();
    const value = { text: 'grüße 🎈', list: [1, -2, 3.5, null, true], nested: { empty: {} }, large: 1_234_567_890_123 };
    expect(await client.invoke('Echo', value)).toEqual(value);
  });

  it('transfers bytes', async () => {
    await connect();
    if (options.encoding === 'json') {
      expect(await client.invoke('Invert', Buffer.from([0, 1, 255]).toString('base64'))).toBe(
        Buffer.from([255, 254, 0]).toString('base64'),
      );
    } else {
      expect(await client.invoke('Invert', new Uint8Array([0, 1, 255]))).toEqual(new Uint8Array([255, 254, 0]));
    }
  });

  it('has a public connection id that contains the node', async () => {
    await connect();
    const id = await client.invoke<string>('WhoAmI');
    expect(id).toMatch(/^node-1\.[\w-]{22}$/);
    if (!('skipNegotiation' in options)) expect(client.connectionId).toBe(id);
  });

  it.each([
    ['Add', [1], "Failed to invoke 'Add' due to an error on the server. HubException: The method takes 2 argument(s), not 1."],
    [
      'Add',
      [1, 'two'],
      "Failed to invoke 'Add' due to an error on the server. HubException: Argument 1 (number) does not fit: expected number",
    ],
    ['Nonsense', [], "Failed to invoke 'Nonsense' due to an error on the server. HubException: Method does not exist."],
    ['FailSecretly', [], "An unexpected error occurred invoking 'FailSecretly' on the server."],
    ['FailOpenly', [], "An unexpected error occurred invoking 'FailOpenly' on the server. HubException: Try again tomorrow."],
    ['Endless', [], "The client attempted to invoke the streaming 'Endless' method with a non-streaming invocation."],
  ])('answers a wrong call of %s with %j by an error, and stays connected', async (method, args, message) => {
    await connect();
    await expect(client.invoke(method, ...args)).rejects.toThrow(new Error(message));
    expect(await client.invoke('Add', 1, 1)).toBe(2);
  });

  it('gets no answer to a call that expects none', async () => {
    await connect();
    const before = log.forgotten;
    await client.send('Forget');
    await client.send('Nonsense');
    expect(await client.invoke('Add', 1, 1)).toBe(2);
    expect(log.forgotten).toBe(before + 1);
  });

  it('receives a stream', async () => {
    await connect();
    const items: number[] = [];
    await new Promise<void>((resolve, reject) => {
      client.stream<number>('Count', 5).subscribe({ next: (item) => items.push(item), complete: resolve, error: reject });
    });
    expect(items).toEqual([1, 2, 3, 4, 5]);
  });

  it('receives the error of a stream after its items', async () => {
    await connect();
    const items: number[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      client.stream<number>('Count', 20).subscribe({ next: (item) => items.push(item), complete: resolve, error: reject });
    });
    await expect(ended).rejects.toThrow('HubException: Thirteen is unlucky.');
    expect(items).toHaveLength(12);
  });

  it('cancels a stream', async () => {
    await connect();
    const before = log.cancelled;
    await new Promise<void>((resolve) => {
      const subscription = client.stream<number>('Endless').subscribe({
        next: (item) => {
          if (item < 3) return;
          subscription.dispose();
          resolve();
        },
        complete: () => undefined,
        error: () => undefined,
      });
    });
    await eventually('the generator is stopped', () => log.cancelled === before + 1);
  });

  it('sends a stream with an invocation', async () => {
    await connect();
    const numbers = new Subject<number>();
    const result = client.invoke<string>('Total', 'sum', numbers);
    for (let number = 1; number <= 100; number++) numbers.next(number);
    numbers.complete();
    expect(await result).toBe('sum 5050');
  });

  it('sends a stream with a call that expects no answer', async () => {
    await connect();
    const numbers = new Subject<number>();
    const before = log.uploadErrors.length;
    await client.send('Total', 'sum', numbers);
    numbers.next(1);
    numbers.error(new Error('out of numbers'));
    await eventually('the reader hears of the error', () => log.uploadErrors.length === before + 1);
    expect(log.uploadErrors.at(-1)).toContain('out of numbers');
  });

  it('survives a stream that is not read', async () => {
    await connect();
    const items = new Subject<string>();
    const result = client.invoke<string>('Drop', items);
    expect(await result).toBe('dropped');
    // The client sends an item after it has sent the one before, and must not be stopped in between.
    for (let index = 0; index < 25; index++) {
      items.next('x'.repeat(1_000));
      expect(await client.invoke('Add', 1, index)).toBe(1 + index);
    }
    items.complete();
    for (let index = 0; index < 3; index++) expect(await client.invoke('Add', 1, 1)).toBe(2);
  });

  it('makes a stream fail for its reader when the client disconnects', async () => {
    await connect();
    const before = log.uploadErrors.length;
    const numbers = new Subject<number>();
    await client.send('Total', 'sum', numbers);
    numbers.next(1);
    expect(await client.invoke('Add', 1, 1)).toBe(2);
    await client.stop();
    await eventually('the reader hears of the end', () => log.uploadErrors.length === before + 1);
    expect(log.uploadErrors.at(-1)).toContain('The connection ended');
  });

  it('answers a call of the server, also while its own call is in progress', async () => {
    await connect();
    client.on('Ask', (question: string) => `${question}? Yes.`);
    expect(await client.invoke('AskMe', 'Ready')).toBe('Ready? Yes.');
    const id = await client.invoke<string>('WhoAmI');
    expect(await context.client(id).invoke(ask, ['Again'])).toBe('Again? Yes.');
  });

  it('refuses a call of the server for which it has no handler', async () => {
    await connect();
    const id = await client.invoke<string>('WhoAmI');
    await expect(context.client(id).invoke(ask, ['Hello'])).rejects.toThrow("Client didn't provide a result.");
  });

  it('passes on a null answer', async () => {
    await connect();
    client.on('Ask', () => null);
    const id = await client.invoke<string>('WhoAmI');
    expect(await context.client(id).invoke(ask, ['Hello'])).toBeNull();
  });

  it('makes a call fail when it does not answer in time', async () => {
    await connect();
    client.on('Ask', () => new Promise(() => undefined));
    const id = await client.invoke<string>('WhoAmI');
    await expect(context.client(id).invoke(ask, ['Hello'], { timeoutMs: 20 })).rejects.toThrow("did not answer 'Ask' within 20 ms");
  });

  it('makes a call fail at once when it disconnects', async () => {
    await connect();
    client.on('Ask', () => new Promise(() => undefined));
    const id = await client.invoke<string>('WhoAmI');
    const answer = context.client(id).invoke(ask, ['Hello']);
    const refused = expect(answer).rejects.toThrow('The connection ended');
    await client.stop();
    await refused;
    await eventually('the gateway hears of the end', () => log.disconnected.includes(id));
    expect(log.disconnected.filter((other) => other === id)).toHaveLength(1);
    expect(log.connected.filter((other) => other === id)).toHaveLength(1);
    await expect(context.client(id).invoke(ask, ['Hello'])).rejects.toThrow(`'${id}' does not exist`);
    context.client(id).send(said, ['nobody', 1]);
  });

  it('receives messages to its groups', async () => {
    await connect();
    const other = buildClient(hubs.url + PATH, { encoding: options.encoding === 'json' ? 'messagepack' : 'json' });
    await other.start();
    const heard: unknown[] = [];
    const heardByOther: unknown[] = [];
    client.on('Said', (...args) => heard.push(args));
    other.on('Said', (...args) => heardByOther.push(args));
    await client.invoke('Join', 'room');
    await other.invoke('Join', 'room');
    const id = await client.invoke<string>('WhoAmI');

    context.group('room').send(said, ['to all', 1]);
    context.group('room', [id]).send(said, ['to the other', 2]);
    context.group('room').sendLatest('key', said, ['latest', 3]);
    await other.invoke('Leave', 'room');
    context.group('room').send(said, ['to one', 4]);
    context.client(id).send(said, ['alone', 5]);
    await eventually('both hear everything', () => heard.length === 4 && heardByOther.length === 3);
    expect(heard).toEqual([
      ['to all', 1],
      ['latest', 3],
      ['to one', 4],
      ['alone', 5],
    ]);
    expect(heardByOther).toEqual([
      ['to all', 1],
      ['to the other', 2],
      ['latest', 3],
    ]);
    await other.stop();
  });

  it('gets the reason why the server closes the connection', async () => {
    await connect();
    const closed = new Promise<Error | undefined>((resolve) => client.onclose(resolve));
    const id = await client.invoke<string>('WhoAmI');
    context.connection(id)?.close({ error: 'Your account was disabled.' });
    expect((await closed)?.message).toContain('Your account was disabled.');
    expect(client.state).toBe(HubConnectionState.Disconnected);
  });
});
