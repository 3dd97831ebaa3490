import { beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { InProcessBackplane } from './backplane.js';
import { ClientCall } from './client-call.js';
import { ConnectionClock } from './connection-clock.js';
import { HubError } from './errors.js';
import type { HubConnection } from './hub-connection.js';
import { Hub, type HubLifecycle } from './hub.js';
import type { HubLimits } from './hub-options.js';
import type { Invocation } from './invocation.js';
import { clientMethod, hubMethod, stream } from './method-descriptor.js';
import { RecordingTransport } from './recording-transport.fixture.js';
import { UploadStream } from './upload-stream.js';
import { any, number, text } from './wire-type.js';

const SECOND = 1_000;
const news = clientMethod('News', [text]);
const question = clientMethod('Question', [text], text);

const warnings: string[] = [];
const errors: string[] = [];
const logger = { debug: () => undefined, warn: (line: string) => warnings.push(line), error: (line: string) => errors.push(line) };

let now: number;
let clock: ConnectionClock;
let connections: number;

beforeEach(() => {
  now = 0;
  connections = 0;
  warnings.length = 0;
  errors.length = 0;
  clock = new ConnectionClock(2 * SECOND);
  clock.advance(now);
});

function makeHub(limits: Partial<HubLimits> = {}, lifecycle: HubLifecycle = {}): Hub {
  const hub = new Hub({ path: '/hub', limits }, { clock, logger, backplane: new InProcessBackplane() });
  hub.lifecycle(lifecycle);
  return hub;
}

function open(hub: Hub, userId?: string): RecordingTransport {
  const transport = new RecordingTransport();
  hub.open(transport, { connectionId: `n.${++connections}`, user: undefined, userId, remoteAddress: undefined });
  return transport;
}

/** Opens a connection, shakes hands, and forgets the answer. */
function connect(hub: Hub, userId?: string): { transport: RecordingTransport; connection: HubConnection } {
  const transport = open(hub, userId);
  transport.deliverRecords({ protocol: 'json', version: 1 });
  expect(transport.sent).toEqual(['{}\x1e']);
  transport.clear();
  const connection = hub.connection(`n.${connections}`);
  if (connection === undefined) throw new Error('The connection is not open.');
  return { transport, connection };
}

/** Lets time pass second by second, as the sweep timer does. */
function pass(hub: Hub, seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    now += SECOND;
    clock.advance(now);
    hub.sweep();
  }
}

function newsCall(value: string): ClientCall {
  return new ClientCall(news, [value]);
}

function iterableOf(value: unknown): AsyncIterable<number> {
  if (!(value instanceof UploadStream)) throw new Error('The argument is no stream.');
  return value;
}

function iteratorOf(value: unknown): AsyncIterator<number> {
  return iterableOf(value)[Symbol.asyncIterator]();
}

async function* endlessUntil(signal: AbortSignal): AsyncGenerator<number> {
  while (!signal.aborted) {
    await turn();
    if (signal.aborted) yield 0;
  }
}

function call(target: string, ...args: unknown[]): object {
  return { type: 1, target, arguments: args };
}

function invocation(invocationId: string, target: string, ...args: unknown[]): object {
  return { type: 1, invocationId, target, arguments: args };
}

/** The words in which a call is refused that cannot be carried out as it was made. */
function refused(method: string, reason: string): string {
  return `Failed to invoke '${method}' due to an error on the server. HubException: ${reason}`;
}

/** A promise that a test settles. */
function gate(): { opened: Promise<void>; open: () => void } {
  let resolveOpened = (): void => undefined;
  const opened = new Promise<void>((resolve) => (resolveOpened = resolve));
  return { opened, open: () => resolveOpened() };
}

describe('handshake of a connection', () => {
  it('may come in pieces, and together with the first messages', () => {
    const hub = makeHub();
    const seen: unknown[] = [];
    hub.method(hubMethod('Note', [any]), ({ args }) => void seen.push(args[0]));
    const transport = open(hub);
    transport.deliver('{"protocol":"js');
    transport.deliver('on","version":1}\x1e{"type":1,"target":"Note","argum');
    transport.deliver('ents":[1]}\x1e{"type":1,"target":"Note","arguments":[2]}\x1e');
    expect(transport.sent).toEqual(['{}\x1e']);
    expect(seen).toEqual([1, 2]);
  });

  it('may name the protocol in any case', () => {
    const hub = makeHub();
    const transport = open(hub);
    transport.deliverRecords({ protocol: 'MessagePack', version: 2 });
    expect(transport.sent).toEqual(['{}\x1e']);
    expect(hub.connection('n.1')?.encoding).toBe('messagepack');
  });

  it.each([
    ['{"protocol":"xml","version":1}\x1e', "The protocol 'xml' is not supported."],
    ['{"protocol":"constructor","version":1}\x1e', "The protocol 'constructor' is not supported."],
    ['{"protocol":"json","version":7}\x1e', "The server does not support version 7 of the 'json' protocol."],
    ['nonsense\x1e', 'The handshake is no JSON.'],
  ])('is refused with the reason: %j', (handshake, error) => {
    const farewells: string[] = [];
    const hub = makeHub({}, { onDisconnected: (_connection, reason) => void farewells.push(reason) });
    const transport = open(hub);
    transport.deliver(handshake);
    expect(transport.records()).toEqual([{ error }]);
    expect(transport.ended).toBe('politely');
    expect(hub.size).toBe(0);
    expect(farewells).toEqual([]);
  });

  it('has a time limit, which bytes that trickle in do not extend', () => {
    const hub = makeHub({ handshakeTimeoutMs: 15 * SECOND });
    const transport = open(hub);
    pass(hub, 14);
    transport.deliver('{');
    expect(transport.ended).toBeUndefined();
    pass(hub, 1);
    expect(transport.records()).toEqual([{ error: 'Handshake was canceled: it took too long.' }]);
    expect(transport.ended).toBe('politely');
  });

  it('comes before anything can be sent to the connection', async () => {
    const hub = makeHub();
    const transport = open(hub);
    hub.addToGroup('n.1', 'room');
    hub.sendToAll(newsCall('early'));
    hub.sendToGroup('room', newsCall('early'), {});
    expect(hub.connection('n.1')).toBeUndefined();
    await expect(hub.invoke('n.1', new ClientCall(question, ['?']), {})).rejects.toThrow("'n.1' does not exist");
    expect(transport.sent).toEqual([]);
  });
});

describe('keep-alive', () => {
  it('pings a connection that hears nothing, and only that one', () => {
    const hub = makeHub();
    const quiet = connect(hub).transport;
    const { transport: busy, connection } = connect(hub);
    pass(hub, 10);
    connection.send(news, ['hello']);
    quiet.deliverRecords({ type: 6 });
    busy.deliverRecords({ type: 6 });
    busy.clear();
    pass(hub, 5);
    expect(quiet.records()).toEqual([{ type: 6 }]);
    expect(busy.records()).toEqual([]);
    pass(hub, 10);
    expect(busy.records()).toEqual([{ type: 6 }]);
  });

  it('ends a connection that says nothing for 30 seconds', () => {
    const hub = makeHub();
    const { transport } = connect(hub);
    pass(hub, 20);
    transport.deliverRecords({ type: 6 });
    pass(hub, 29);
    expect(transport.ended).toBeUndefined();
    transport.clear();
    pass(hub, 1);
    expect(transport.records()).toEqual([{ type: 7, error: 'The client was silent for 30000 ms.', allowReconnect: true }]);
    expect(transport.ended).toBe('politely');
  });

  it('does not take the sleep of the process for silence of the client', () => {
    const hub = makeHub();
    const { transport } = connect(hub);
    now += 600 * SECOND;
    pass(hub, 1);
    expect(transport.ended).toBeUndefined();
  });

  it('does not take a socket that it paused for silent', async () => {
    const hub = makeHub({ parallelInvocations: 1 });
    const work = gate();
    hub.method(hubMethod('Work', []), () => work.opened);
    const { transport } = connect(hub);
    transport.deliverRecords(call('Work'), call('Work'));
    expect(transport.paused).toBe(true);
    pass(hub, 60);
    expect(transport.ended).toBeUndefined();
    work.open();
    await turn();
    expect(transport.paused).toBe(false);
    pass(hub, 29);
    expect(transport.ended).toBeUndefined();
    pass(hub, 1);
    expect(transport.ended).toBe('politely');
  });
});

describe('a broken message', () => {
  it.each([
    ['{"type":1}\x1e', "Expected 'target' to be of type String."],
    ['nonsense\x1e', 'The message is no JSON.'],
    ['x'.repeat(1_001), 'The maximum message size of 1000 bytes was exceeded.'],
  ])('ends the connection with the reason: %#', (broken, error) => {
    const hub = makeHub({ maximumMessageSize: 1_000 });
    const seen: unknown[] = [];
    hub.method(hubMethod('Note', [any]), ({ args }) => void seen.push(args[0]));
    const { transport } = connect(hub);
    transport.deliver(`{"type":1,"target":"Note","arguments":[1]}\x1e${broken}`);
    expect(seen).toEqual([1]);
    expect(transport.records()).toEqual([{ type: 7, error, allowReconnect: true }]);
    transport.deliverRecords(call('Note', 2));
    expect(seen).toEqual([1]);
  });

  it('that is too large is noticed while it is still growing', () => {
    const hub = makeHub({ maximumMessageSize: 1_000 });
    const { transport } = connect(hub);
    for (let piece = 0; piece < 10; piece++) transport.deliver('x'.repeat(100));
    expect(transport.ended).toBeUndefined();
    transport.deliver('x');
    expect(transport.ended).toBe('politely');
  });
});

describe('calls', () => {
  it('run at once up to the limit; then the socket is paused until one is done', async () => {
    const hub = makeHub({ parallelInvocations: 2 });
    const gates = [gate(), gate(), gate(), gate()];
    const started: number[] = [];
    hub.method(hubMethod('Work', [number]), async ({ args }) => {
      const index = Number(args[0]);
      started.push(index);
      await gates[index].opened;
    });
    const { transport } = connect(hub);
    transport.deliverRecords(...[0, 1, 2, 3].map((index) => invocation(`${index}`, 'Work', index)));
    expect(started).toEqual([0, 1]);
    expect(transport.paused).toBe(true);
    gates[1].open();
    await turn();
    expect(started).toEqual([0, 1, 2]);
    expect(transport.paused).toBe(true);
    gates[0].open();
    await turn();
    expect(started).toEqual([0, 1, 2, 3]);
    expect(transport.paused).toBe(false);
    gates[2].open();
    gates[3].open();
    await turn();
    expect(transport.records()).toEqual(['1', '0', '2', '3'].map((invocationId) => ({ type: 3, invocationId, result: null })));
  });

  it.each<[string, (work: Promise<void>) => unknown]>([
    ['at once', () => undefined],
    ['later', () => Promise.resolve()],
    ['with the first one', (work) => work],
  ])('that come together in thousands all get their turn, in their order: done %s', async (_case, answer) => {
    const COUNT = 20_000;
    const hub = makeHub({ parallelInvocations: 2, maximumWaitingMessages: COUNT });
    const work = gate();
    const started: unknown[] = [];
    hub.method(hubMethod('Work', []), () => work.opened);
    hub.method(hubMethod('Note', [number]), ({ args }) => {
      started.push(args[0]);
      return answer(work.opened);
    });
    const { transport } = connect(hub);
    const numbers = Array.from({ length: COUNT }, (_, index) => index);
    // The last one comes in two pieces, while calls wait.
    const frames = [call('Work'), call('Work'), ...numbers.map((value) => call('Note', value))]
      .map((record) => `${JSON.stringify(record)}\x1e`)
      .join('');
    transport.deliver(frames.slice(0, -5));
    transport.deliver(frames.slice(-5));
    expect([started, transport.paused]).toEqual([[], true]);
    work.open();
    await turn();
    expect([errors, transport.paused, transport.ended]).toEqual([[], false, undefined]);
    expect(started).toEqual(numbers);
  });

  it('that wait for the caller itself do not block its answer', async () => {
    const hub = makeHub({ parallelInvocations: 1 });
    hub.method(hubMethod('AskMe', [], text), ({ connection }) => connection.invoke(question, ['Ready?']));
    const { transport } = connect(hub);
    transport.deliverRecords(invocation('1', 'AskMe'), invocation('2', 'AskMe'));
    expect(transport.paused).toBe(false);
    transport.deliverRecords({ type: 3, invocationId: 's1', result: 'Yes.' });
    await turn();
    transport.deliverRecords({ type: 3, invocationId: 's2', result: 'Again.' });
    await turn();
    expect(transport.records().filter((record) => JSON.stringify(record).includes('"type":3'))).toEqual([
      { type: 3, invocationId: '1', result: 'Yes.' },
      { type: 3, invocationId: '2', result: 'Again.' },
    ]);
  });

  it('wait in a limited number while the client is asked something; then its answer waits too', async () => {
    const hub = makeHub({ parallelInvocations: 1, maximumWaitingMessages: 3 });
    const work = gate();
    let done = 0;
    hub.method(hubMethod('Work', []), async () => {
      await work.opened;
      done++;
    });
    const { transport, connection } = connect(hub);
    const answer = connection.invoke(question, ['?']);
    transport.deliverRecords(...Array.from({ length: 4 }, () => call('Work')));
    expect(transport.paused).toBe(false);
    transport.deliverRecords(...Array.from({ length: 10 }, () => call('Work')), { type: 3, invocationId: 's1', result: 'here' });
    expect([transport.paused, transport.ended]).toEqual([true, undefined]);
    work.open();
    expect(await answer).toBe('here');
    await turn();
    expect([done, transport.paused]).toEqual([14, false]);
  });

  it('whose result cannot be written are answered by an error', () => {
    const hub = makeHub();
    hub.method(hubMethod('Big', [], any), () => 10n);
    const { transport } = connect(hub);
    transport.deliverRecords(invocation('1', 'Big'));
    expect(transport.records()).toEqual([
      { type: 3, invocationId: '1', error: "An unexpected error occurred invoking 'Big' on the server." },
    ]);
    expect(errors).toEqual(["'Big' of hub /hub: Do not know how to serialize a BigInt"]);
  });

  it('get the text of errors only with detailedErrors', () => {
    const hub = new Hub({ path: '/hub', detailedErrors: true }, { clock, logger, backplane: new InProcessBackplane() });
    hub.method(hubMethod('Fail', []), () => {
      throw new RangeError('too far');
    });
    const { transport } = connect(hub);
    transport.deliverRecords(invocation('1', 'Fail'));
    expect(transport.records()).toEqual([
      { type: 3, invocationId: '1', error: "An unexpected error occurred invoking 'Fail' on the server. RangeError: too far" },
    ]);
  });

  it('have a signal that the end of the connection fires', () => {
    const hub = makeHub();
    const signals: AbortSignal[] = [];
    hub.method(hubMethod('Work', []), ({ signal }: Invocation) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const { transport } = connect(hub);
    transport.deliverRecords(call('Work'), invocation('1', 'Work'), invocation('2', 'Work'));
    transport.deliverRecords({ type: 5, invocationId: '1' }, { type: 5, invocationId: 'unknown' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
    transport.lose();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('cannot be defined twice under one name, whatever its case', () => {
    const hub = makeHub();
    hub.method(hubMethod('Work', []), () => undefined);
    expect(() => hub.method(hubMethod('WORK', []), () => undefined)).toThrow("Hub /hub has a method 'WORK' already.");
  });
});

describe('streams from the client', () => {
  it('pause the socket when their buffer is full, and resume it when it is half empty', async () => {
    const hub = makeHub({ streamBufferCapacity: 10 });
    const iterators: AsyncIterator<number>[] = [];
    const done = gate();
    hub.method(hubMethod('Put', [stream(number)]), ({ args }) => {
      iterators.push(iteratorOf(args[0]));
      return done.opened;
    });
    const { transport } = connect(hub);
    transport.deliverRecords({ type: 1, target: 'Put', arguments: [], streamIds: ['1'] });
    const item = (value: number): object => ({ type: 2, invocationId: '1', item: value });
    transport.deliverRecords(...Array.from({ length: 9 }, (_, index) => item(index)));
    expect(transport.paused).toBe(false);
    transport.deliverRecords(item(9), item(10), item(11));
    expect(transport.paused).toBe(true);
    const taken: unknown[] = [];
    while (transport.paused) taken.push((await iterators[0].next()).value);
    expect(taken).toEqual([0, 1, 2, 3, 4, 5, 6]);
    transport.deliverRecords({ type: 3, invocationId: '1' });
    for (let next = await iterators[0].next(); next.done !== true; next = await iterators[0].next()) taken.push(next.value);
    expect(taken).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    done.open();
  });

  it('that nobody reads are dropped once the method is done, and the socket goes on', async () => {
    const hub = makeHub({ streamBufferCapacity: 2 });
    const done = gate();
    hub.method(hubMethod('Ignore', [stream(any)]), () => done.opened);
    const { transport } = connect(hub);
    const items = Array.from({ length: 5 }, (_, index) => ({ type: 2, invocationId: '1', item: index }));
    transport.deliverRecords({ type: 1, invocationId: '9', target: 'Ignore', arguments: [], streamIds: ['1'] }, ...items);
    expect(transport.paused).toBe(true);
    done.open();
    await turn();
    expect(transport.paused).toBe(false);
    transport.deliverRecords(...items, { type: 3, invocationId: '1' });
    expect(transport.records()).toEqual([{ type: 3, invocationId: '9', result: null }]);
    expect(transport.ended).toBeUndefined();
  });

  it.each<[string, object]>([
    ['have ended', { type: 3, invocationId: '1' }],
    ['broke', { type: 2, invocationId: '1', item: 'does not fit' }],
  ])('that %s do not keep the socket paused, and can still be read', async (_case, end) => {
    const hub = makeHub({ streamBufferCapacity: 2 });
    const start = gate();
    const seen: number[] = [];
    hub.method(hubMethod('Read', [stream(number)]), async ({ args }) => {
      await start.opened;
      for await (const item of iterableOf(args[0])) seen.push(item);
    });
    const { transport } = connect(hub);
    const items = [1, 2].map((item) => ({ type: 2, invocationId: '1', item }));
    transport.deliverRecords({ type: 1, target: 'Read', arguments: [], streamIds: ['1'] }, ...items);
    expect(transport.paused).toBe(true);
    transport.deliverRecords(end);
    expect(transport.paused).toBe(false);
    start.open();
    await turn();
    expect(seen).toEqual([1, 2]);
  });

  it.each<[string, object]>([
    ['have ended', { type: 3, invocationId: 'a' }],
    ['broke', { type: 2, invocationId: 'a', item: 'does not fit' }],
  ])('that %s no longer keep the socket open while calls wait for their turn', async (_case, end) => {
    const hub = makeHub({ parallelInvocations: 1 });
    const work = gate();
    hub.method(hubMethod('Work', []), () => work.opened);
    hub.method(hubMethod('Put', [stream(number)]), () => work.opened);
    const { transport } = connect(hub);
    transport.deliverRecords({ type: 1, target: 'Put', arguments: [], streamIds: ['a'] }, call('Work'), call('Work'));
    expect(transport.paused).toBe(false);
    transport.deliverRecords(end);
    expect(transport.paused).toBe(true);
    work.open();
    await turn();
    expect(transport.paused).toBe(false);
  });

  describe('whose consumer is slow', () => {
    const item = { type: 2, invocationId: '1', item: 1 };

    /** A client that has a stream to send, and sends as much of it as is read. */
    function sending(): { hub: Hub; send: () => number; take: (count: number) => Promise<void> } {
      const hub = makeHub({ streamBufferCapacity: 2, slowStreamBuffer: 32 });
      let reader: AsyncIterator<number> | undefined;
      hub.method(hubMethod('Read', [stream(number)]), ({ args }) => {
        reader = iteratorOf(args[0]);
        return new Promise(() => undefined);
      });
      const { transport } = connect(hub);
      transport.deliverRecords({ type: 1, target: 'Read', arguments: [], streamIds: ['1'] });
      return {
        hub,
        send: () => {
          let sent = 0;
          for (; !transport.paused; sent++) transport.deliverRecords(item);
          return sent;
        },
        take: async (count) => {
          for (let taken = 0; taken < count; taken++) await reader?.next();
        },
      };
    }

    it('take a little in each sweep, the less the more they hold, up to a limit', () => {
      const { hub, send } = sending();
      const taken = [send()];
      for (let second = 0; second < 60; second++) {
        pass(hub, 1);
        taken.push(send());
      }
      expect(taken.slice(0, 3)).toEqual([2, 2, 2]);
      expect(taken.reduce((sum, count) => sum + count)).toBe(32);
      expect(taken.at(-1)).toBe(0);
    });

    it('go on at the pace of the consumer, and hold no more than before once it has caught up', async () => {
      const { hub, send, take } = sending();
      send();
      for (let second = 0; second < 60; second++) {
        pass(hub, 1);
        send();
      }
      await take(16);
      pass(hub, 1);
      expect(send()).toBe(1);
      await take(17);
      expect(send()).toBe(2);
    });
  });

  describe('whose consumer has stalled', () => {
    const LIMIT = 10;

    /** A connection whose stream is full; `take` lets its consumer take the next item. */
    function stalled(): { hub: Hub; transport: RecordingTransport; connection: HubConnection; take: () => Promise<unknown> } {
      const hub = makeHub({ streamBufferCapacity: 2, slowStreamBuffer: 0, stalledStreamMs: LIMIT * SECOND });
      let reader: AsyncIterator<number> | undefined;
      hub.method(hubMethod('Read', [stream(number)]), ({ args }) => {
        reader = iteratorOf(args[0]);
        return new Promise(() => undefined);
      });
      const { transport, connection } = connect(hub);
      return {
        hub,
        transport,
        connection,
        take: async () => (await reader?.next())?.value,
      };
    }

    const items = [1, 2].map((item) => ({ type: 2, invocationId: '1', item }));
    const start = [{ type: 1, target: 'Read', arguments: [], streamIds: ['1'] }, ...items];

    it('fail when the client is asked something meanwhile, so that its answer comes through', async () => {
      const { hub, transport, connection, take } = stalled();
      transport.deliverRecords(...start);
      const answer = connection.invoke(question, ['?'], { timeoutMs: 600 * SECOND });
      pass(hub, LIMIT);
      expect(transport.paused).toBe(true);
      pass(hub, 1);
      expect(transport.paused).toBe(false);
      transport.deliverRecords(...items, { type: 3, invocationId: 's1', result: 'here' });
      expect(await answer).toBe('here');
      expect([await take(), await take()]).toEqual([1, 2]);
      await expect(take()).rejects.toThrow('The stream was not read for too long, and held up the answers of its sender.');
    });

    it('wait as long as nobody waits for the client', () => {
      const { hub, transport } = stalled();
      transport.deliverRecords(...start);
      pass(hub, 600);
      expect(transport.paused).toBe(true);
    });

    it('wait for a consumer that takes something now and then', async () => {
      const { hub, transport, connection, take } = stalled();
      transport.deliverRecords(...start);
      const answer = connection.invoke(question, ['?'], { timeoutMs: 600 * SECOND });
      for (let round = 0; round < 10; round++) {
        pass(hub, LIMIT - 1);
        expect(transport.paused).toBe(true);
        await take();
        transport.deliverRecords(items[0]);
      }
      transport.lose();
      await expect(answer).rejects.toThrow();
    });

    it('wait when the call was made before the stream was opened, as the one that asks for it is', async () => {
      const { hub, transport, connection } = stalled();
      const answer = connection.invoke(question, ['Send me a stream, will you?'], { timeoutMs: 600 * SECOND });
      transport.deliverRecords(...start);
      pass(hub, 600);
      expect(transport.paused).toBe(true);
      transport.lose();
      await expect(answer).rejects.toThrow();
    });
  });

  it('end with an error when an item does not fit, and the connection lives', async () => {
    const hub = makeHub();
    const read: Promise<unknown>[] = [];
    hub.method(hubMethod('Put', [stream(number)]), ({ args }) => {
      read.push(iteratorOf(args[0]).next());
      return read[0].catch(() => undefined);
    });
    const { transport } = connect(hub);
    transport.deliverRecords({ type: 1, target: 'Put', arguments: [], streamIds: ['1'] }, { type: 2, invocationId: '1', item: 'one' });
    await expect(read[0]).rejects.toThrow('A stream item does not fit: expected number');
    expect(transport.ended).toBeUndefined();
  });

  it('are limited in number, and may not share an id', async () => {
    const hub = makeHub({ maximumStreams: 2 });
    hub.method(hubMethod('Put', [stream(any)]), () => new Promise(() => undefined));
    const { transport } = connect(hub);
    const put = (id: string): object => ({ type: 1, invocationId: `call ${id}`, target: 'Put', arguments: [], streamIds: [id] });
    transport.deliverRecords(put('1'), put('1'), put('2'), put('3'));
    await turn();
    expect(transport.records()).toEqual([
      { type: 3, invocationId: 'call 1', error: refused('Put', "The stream '1' is open already.") },
      { type: 3, invocationId: 'call 3', error: refused('Put', 'Too many streams are open.') },
    ]);
  });

  it('count until their call is done, however early they end', async () => {
    const hub = makeHub({ maximumStreams: 2 });
    const done = gate();
    hub.method(hubMethod('Put', [stream(any)]), () => done.opened);
    const { transport } = connect(hub);
    const put = (id: string): object[] => [
      { type: 1, invocationId: `call ${id}`, target: 'Put', arguments: [], streamIds: [id] },
      { type: 3, invocationId: id },
    ];
    transport.deliverRecords(...put('1'), ...put('2'), ...put('3'));
    await turn();
    expect(transport.records()).toEqual([{ type: 3, invocationId: 'call 3', error: refused('Put', 'Too many streams are open.') }]);
    transport.clear();
    done.open();
    await turn();
    transport.deliverRecords(...put('4'));
    await turn();
    expect(transport.records()).toEqual(['1', '2', '4'].map((id) => ({ type: 3, invocationId: `call ${id}`, result: null })));
  });

  it('must be as many as the method takes', () => {
    const hub = makeHub();
    hub.method(hubMethod('Put', [stream(any)]), () => undefined);
    const { transport } = connect(hub);
    transport.deliverRecords(invocation('1', 'Put'));
    expect(transport.records()).toEqual([{ type: 3, invocationId: '1', error: refused('Put', 'The method takes 1 stream(s), not 0.') }]);
  });
});

describe('streams to the client', () => {
  it('stop while the socket is congested, and end when the client cancels', async () => {
    const hub = makeHub({ sendHighWaterMark: 100 });
    let pulled = 0;
    let stopped = 0;
    hub.method(hubMethod('Count', [], stream(number)), async function* () {
      try {
        for (;;) yield await Promise.resolve(++pulled);
      } finally {
        stopped++;
      }
    });
    const { transport } = connect(hub);
    transport.bufferedAmount = 101;
    transport.deliverRecords({ type: 4, invocationId: '1', target: 'Count', arguments: [] });
    await turn();
    expect(pulled).toBe(0);
    expect(transport.drainRequests).toBe(1);
    const before = transport.write.bind(transport);
    transport.write = (frame) => {
      before(frame);
      transport.bufferedAmount += 21;
    };
    transport.drain();
    await turn();
    expect(pulled).toBe(5);
    expect(transport.records()).toHaveLength(5);
    transport.deliverRecords({ type: 5, invocationId: '1' });
    transport.drain();
    await turn();
    expect(stopped).toBe(1);
    expect(pulled).toBe(5);
    expect(transport.records().at(-1)).toEqual({ type: 3, invocationId: '1' });
  });

  it('end with the connection, also while they wait for the socket', async () => {
    const hub = makeHub({ sendHighWaterMark: 100 });
    let stopped = 0;
    hub.method(hubMethod('Count', [], stream(number)), async function* () {
      try {
        for (;;) yield await Promise.resolve(1);
      } finally {
        stopped++;
      }
    });
    const { transport } = connect(hub);
    const before = transport.write.bind(transport);
    transport.write = (frame) => {
      before(frame);
      transport.bufferedAmount += 21;
    };
    transport.deliverRecords({ type: 4, invocationId: '1', target: 'Count', arguments: [] });
    await turn();
    expect(transport.drainRequests).toBe(1);
    transport.lose();
    await turn();
    expect(stopped).toBe(1);
    expect(errors).toEqual([]);
  });

  it('may not share an id', async () => {
    const hub = makeHub();
    hub.method(hubMethod('Wait', [], stream(number)), ({ signal }) => endlessUntil(signal));
    const { transport } = connect(hub);
    const start = { type: 4, invocationId: '1', target: 'Wait', arguments: [] };
    transport.deliverRecords(start, start);
    await turn();
    expect(transport.records()).toEqual([{ type: 3, invocationId: '1', error: "Invocation ID '1' is already in use." }]);
    transport.lose();
    await turn();
  });

  it('are limited in number', async () => {
    const hub = makeHub({ maximumStreams: 1 });
    hub.method(hubMethod('Wait', [], stream(number)), ({ signal }) => endlessUntil(signal));
    const { transport } = connect(hub);
    for (const invocationId of ['1', '2']) transport.deliverRecords({ type: 4, invocationId, target: 'Wait', arguments: [] });
    await turn();
    expect(transport.records()).toEqual([{ type: 3, invocationId: '2', error: refused('Wait', 'Too many streams are open.') }]);
    transport.lose();
    await turn();
  });

  it('count, keep their id, and can be cancelled from the start, also while their method is still preparing', async () => {
    const hub = makeHub({ maximumStreams: 1 });
    const prepared = gate();
    let released = false;
    hub.method(hubMethod('Wait', [], stream(number)), async () => {
      await prepared.opened;
      const source = {
        next: () => new Promise<IteratorResult<number>>(() => undefined),
        return: () => ((released = true), Promise.resolve({ done: true as const, value: undefined })),
      };
      return { [Symbol.asyncIterator]: () => source };
    });
    const { transport } = connect(hub);
    const start = (invocationId: string): object => ({ type: 4, invocationId, target: 'Wait', arguments: [] });
    transport.deliverRecords(start('1'), start('1'), start('2'), { type: 5, invocationId: '1' });
    await turn();
    expect(transport.records()).toEqual([
      { type: 3, invocationId: '1', error: "Invocation ID '1' is already in use." },
      { type: 3, invocationId: '2', error: refused('Wait', 'Too many streams are open.') },
    ]);
    transport.clear();
    prepared.open();
    await turn();
    expect(transport.records()).toEqual([{ type: 3, invocationId: '1' }]);
    expect(released).toBe(true);
  });

  it('say that they broke in the middle, and why when the caller may know', async () => {
    const hub = makeHub();
    hub.method(hubMethod('Break', [text], stream(number)), async function* ({ args }) {
      yield await Promise.resolve(1);
      throw args[0] === 'openly' ? new HubError('no more') : new Error('secret');
    });
    const { transport } = connect(hub);
    const start = (how: string): object => ({ type: 4, invocationId: how, target: 'Break', arguments: [how] });
    transport.deliverRecords(start('openly'));
    await turn();
    transport.deliverRecords(start('secretly'));
    await turn();
    const broke = 'An error occurred on the server while streaming results.';
    expect(transport.records().filter((_record, index) => index % 2 === 1)).toEqual([
      { type: 3, invocationId: 'openly', error: `${broke} HubException: no more` },
      { type: 3, invocationId: 'secretly', error: broke },
    ]);
    expect(errors).toEqual(["'Break' of hub /hub: secret"]);
  });

  it('must be streams', async () => {
    const hub = makeHub();
    hub.method(hubMethod('Lie', [], stream(number)), () => 5);
    const { transport } = connect(hub);
    transport.deliverRecords({ type: 4, invocationId: '1', target: 'Lie', arguments: [] });
    await turn();
    expect(errors).toEqual(["'Lie' of hub /hub: 'Lie' did not return an async iterable."]);
  });
});

describe('sending', () => {
  it('ends a connection that does not read, and says so in the log', () => {
    const hub = makeHub({ maximumUnsentBytes: 1_000 });
    const { transport, connection } = connect(hub);
    transport.bufferedAmount = 1_000;
    connection.send(news, ['fits']);
    expect(transport.ended).toBeUndefined();
    transport.bufferedAmount = 1_001;
    connection.send(news, ['too much']);
    expect(transport.ended).toBe('at once');
    expect(warnings).toEqual(['Connection n.1 of hub /hub reads too slowly: more than 1000 bytes are unsent.']);
  });

  it('keeps only the newest of each key for a congested connection', () => {
    const hub = makeHub({ sendHighWaterMark: 100 });
    const { transport, connection } = connect(hub);
    connection.sendLatest('a', news, ['a1']);
    transport.bufferedAmount = 101;
    for (const value of ['a2', 'a3']) connection.sendLatest('a', news, [value]);
    connection.sendLatest('b', news, ['b1']);
    connection.sendLatest('a', news, ['a4']);
    expect(transport.records()).toHaveLength(1);
    expect(transport.drainRequests).toBe(1);
    transport.drain();
    expect(transport.records()).toEqual(['a1', 'a4', 'b1'].map((value) => ({ type: 1, target: 'News', arguments: [value] })));
    connection.sendLatest('a', news, ['a5']);
    expect(transport.records()).toHaveLength(4);
  });

  it('bounds what it keeps', () => {
    const hub = makeHub({ sendHighWaterMark: 100, maximumUnsentBytes: 1_000 });
    const { transport, connection } = connect(hub);
    transport.bufferedAmount = 101;
    for (let index = 0; index < 100; index++) connection.sendLatest('same', news, ['x'.repeat(100)]);
    expect(transport.ended).toBeUndefined();
    for (let index = 0; index < 20; index++) connection.sendLatest(`key ${index}`, news, ['x'.repeat(100)]);
    expect(transport.ended).toBe('at once');
  });

  it.each<[what: string, wait: (connection: HubConnection) => void]>([
    ['news', (connection) => connection.sendLatest('a', news, ['a1'])],
    ['another', (connection) => void connection.drained()],
    ['the next ping', () => undefined],
  ])('ends a client that pings but takes nothing of what was sent, when %s waits for that', (_what, wait) => {
    const hub = makeHub({ sendHighWaterMark: 100, drainTimeoutMs: 60 * SECOND, keepAliveMs: 15 * SECOND });
    const { transport, connection } = connect(hub);
    const passWithPings = (seconds: number): void => {
      for (let second = 0; second < seconds; second++) {
        pass(hub, 1);
        transport.deliverRecords({ type: 6 });
      }
    };
    transport.bufferedAmount = 101;
    wait(connection);
    passWithPings(59);
    transport.drain();
    transport.bufferedAmount = 101;
    wait(connection);
    passWithPings(59);
    expect(transport.ended).toBeUndefined();
    passWithPings(1 + 15);
    expect(transport.ended).toBe('at once');
    expect(warnings).toEqual(['Connection n.1 of hub /hub reads too slowly: what was sent has not left for 60000 ms.']);
  });

  it('writes a group message once per encoding', () => {
    const hub = makeHub();
    const members = [connect(hub), connect(hub), connect(hub)];
    for (const { connection } of members) hub.addToGroup(connection.connectionId, 'room');
    let encoded = 0;
    const counting = clientMethod('News', [{ ...text, encode: (value: string) => (encoded++, value) }]);
    hub.delivery.sendToGroup('room', new ClientCall(counting, ['all']), { except: ['n.2'] });
    expect(encoded).toBe(1);
    expect(members.map(({ transport }) => transport.sent.length)).toEqual([1, 0, 1]);
  });

  it('reaches all connections of a user, until they end', () => {
    const hub = makeHub();
    const [first, second, other] = [connect(hub, 'ann'), connect(hub, 'ann'), connect(hub, 'bob')];
    hub.sendToUser('ann', newsCall('1'));
    first.transport.lose();
    hub.sendToUser('ann', newsCall('2'));
    expect([first, second, other].map(({ transport }) => transport.sent.length)).toEqual([1, 2, 0]);
  });

  it('leaves groups with the connection', () => {
    const hub = makeHub();
    const { transport, connection } = connect(hub);
    hub.addToGroup(connection.connectionId, 'room');
    hub.addToGroup('n.unknown', 'room');
    hub.removeFromGroup(connection.connectionId, 'other room');
    transport.lose();
    hub.sendToGroup('room', newsCall('late'), {});
    connection.send(news, ['late']);
    expect(transport.sent).toEqual([]);
    expect(connection.groups).toBeUndefined();
    expect(hub.size).toBe(0);
  });

  it('refuses a call with the wrong number of arguments', () => {
    const { connection } = connect(makeHub());
    expect(() => connection.send<readonly (typeof text)[]>(news, [])).toThrow("'News' takes 1 argument(s), not 0.");
  });
});

describe('answers of the client', () => {
  it.each([
    ['an error', { error: 'No idea.' }, 'No idea.'],
    ['a value that does not fit', { result: 5 }, 'expected text'],
  ])('may be %s', async (_case, completion, message) => {
    const { transport, connection } = connect(makeHub());
    const answer = connection.invoke(question, ['?']);
    expect(transport.records()).toEqual([{ type: 1, invocationId: 's1', target: 'Question', arguments: ['?'] }]);
    transport.deliverRecords({ type: 3, invocationId: 's1', ...completion });
    await expect(answer).rejects.toThrow(message);
  });

  it('that nobody waits for are ignored', async () => {
    const { transport, connection } = connect(makeHub());
    const answer = connection.invoke(question, ['?']);
    transport.deliverRecords({ type: 3, invocationId: 's99', result: 'x' }, { type: 3, invocationId: 's1', result: 'y' });
    transport.deliverRecords({ type: 3, invocationId: 's1', result: 'z' });
    expect(await answer).toBe('y');
    expect(transport.ended).toBeUndefined();
  });

  it('are not waited for when the waiting is aborted', async () => {
    const { connection } = connect(makeHub());
    const controller = new AbortController();
    const answer = connection.invoke(question, ['?'], { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(answer).rejects.toThrow('changed my mind');
    await expect(connection.invoke(question, ['?'], { signal: controller.signal })).rejects.toThrow('changed my mind');
  });
});

describe('coming and going', () => {
  it('lets onConnected finish before the first call', async () => {
    const order: string[] = [];
    const greeting = gate();
    const hub = makeHub({}, { onConnected: () => greeting.opened.then(() => void order.push('connected')) });
    hub.method(hubMethod('Total', [stream(number)], number), async ({ args }) => {
      order.push('called');
      let sum = 0;
      for await (const value of iterableOf(args[0])) sum += value;
      return sum;
    });
    const { transport } = connect(hub);
    transport.deliverRecords(
      { type: 1, invocationId: '1', target: 'Total', arguments: [], streamIds: ['2'] },
      { type: 2, invocationId: '2', item: 5 },
      { type: 3, invocationId: '2' },
    );
    expect(transport.paused).toBe(true);
    greeting.open();
    await turn();
    expect(order).toEqual(['connected', 'called']);
    expect(transport.paused).toBe(false);
    expect(transport.records()).toEqual([{ type: 3, invocationId: '1', result: 5 }]);
  });

  it('lets onConnected ask the client', async () => {
    const answers: (string | null)[] = [];
    const hub = makeHub({}, { onConnected: async (connection) => void answers.push(await connection.invoke(question, ['Who?'])) });
    const transport = open(hub);
    transport.deliverRecords({ protocol: 'json', version: 1 });
    transport.deliverRecords({ type: 3, invocationId: 's1', result: 'Me.' });
    await turn();
    expect(answers).toEqual(['Me.']);
  });

  it('ends a connection whose onConnected fails, and still says goodbye', async () => {
    const farewells: string[] = [];
    const hub = makeHub(
      {},
      {
        onConnected: () => Promise.reject(new Error('not today')),
        onDisconnected: (_connection, reason) => void farewells.push(reason),
      },
    );
    const { transport } = connect(hub);
    await turn();
    expect(transport.records()).toEqual([{ type: 7, error: 'The server refused the connection.', allowReconnect: false }]);
    expect(farewells).toEqual(['onConnected failed']);
    expect(errors).toEqual(['onConnected of hub /hub: not today']);
  });

  it('tells every listener once that a connection ended, after onConnected, even when another fails', async () => {
    const order: string[] = [];
    const greeting = gate();
    const hub = makeHub(
      {},
      {
        onConnected: () => greeting.opened.then(() => void order.push('connected')),
        onDisconnected: () => {
          order.push('first');
          throw new Error('first listener broke');
        },
      },
    );
    hub.lifecycle({ onDisconnected: (_connection, reason) => void order.push(`second: ${reason}`) });
    const { transport } = connect(hub);
    transport.lose('cable cut');
    transport.lose('again');
    greeting.open();
    await turn();
    expect(order).toEqual(['connected', 'first', 'second: cable cut']);
    expect(errors).toEqual(['onDisconnected of hub /hub: first listener broke']);
  });

  it('follows a close message of the client', async () => {
    const farewells: string[] = [];
    const hub = makeHub({}, { onDisconnected: (_connection, reason) => void farewells.push(reason) });
    const { transport } = connect(hub);
    transport.deliverRecords({ type: 7 });
    await turn();
    expect(transport.records()).toEqual([{ type: 7, allowReconnect: false }]);
    expect(transport.ended).toBe('politely');
    expect(farewells).toEqual(['closed by the client']);
  });

  it('ends all connections when it closes, allowing them to come back, and waits for their goodbyes', async () => {
    const goodbye = gate();
    let done = false;
    const hub = makeHub({}, { onDisconnected: () => goodbye.opened });
    const { transport } = connect(hub);
    const shaking = open(hub);
    const closed = hub.close(1_000).then(() => (done = true));
    expect(transport.records()).toEqual([{ type: 7, allowReconnect: true }]);
    expect(shaking.ended).toBe('politely');
    await turn();
    expect(done).toBe(false);
    goodbye.open();
    await closed;
    expect(hub.size).toBe(0);
  });

  it('cuts off connections that do not end in time', async () => {
    const hub = makeHub();
    const { transport } = connect(hub);
    transport.end = () => undefined;
    await hub.close(5);
    expect(transport.ended).toBe('at once');
  });
});
