import { describe, expect, it } from 'vitest';
import type { HubConnection } from '../connection/hub-connection.js';
import { hubMethod, stream } from '../calls/method-descriptor.js';
import type { RecordingTransport } from '../recording-transport.fixture.js';
import { iteratorOf, question, SECOND, TestHub, turn } from '../test-hub.fixture.js';
import { any, number, text } from '../wire-type.js';

describe('a stream from a client that is read slowly', () => {
  const item = { type: 2, invocationId: '1', item: 1 };

  /** A client with an endless stream. `send` sends items until the socket is paused, and returns their number. */
  function sending(): { hub: TestHub; send: () => number; take: (count: number) => Promise<void> } {
    const hub = new TestHub({ limits: { streamBufferCapacity: 2 }, slowStreamBuffer: 32 });
    let reader: AsyncIterator<number> | undefined;
    hub.method(hubMethod('Read', [stream(number)]), ({ args }) => {
      reader = iteratorOf(args[0]);
      return new Promise(() => undefined);
    });
    const { transport } = hub.connect();
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

  it('takes some more items in each sweep, fewer the more it holds, up to a limit', () => {
    const { hub, send } = sending();
    const taken = [send()];
    for (let second = 0; second < 60; second++) {
      hub.pass(1);
      taken.push(send());
    }
    expect(taken.slice(0, 3)).toEqual([2, 2, 2]);
    expect(taken.reduce((sum, count) => sum + count)).toBe(32);
    expect(taken.at(-1)).toBe(0);
  });

  it('goes on at the pace of its reader, and is back at its usual capacity once the reader has caught up', async () => {
    const { hub, send, take } = sending();
    send();
    for (let second = 0; second < 60; second++) {
      hub.pass(1);
      send();
    }
    await take(16);
    hub.pass(1);
    expect(send()).toBe(1);
    await take(17);
    expect(send()).toBe(2);
  });
});

describe('many streams of a client that are read slowly', () => {
  const CAPACITY = 10;
  const MESSAGE = 1_000;
  const STREAMS = 10;

  /** Opens streams and sends them one item less than each may hold, until the socket is paused. Returns the number of items. */
  async function fill(transport: RecordingTransport, item: unknown = 'x'.repeat(MESSAGE - 100)): Promise<number> {
    for (let id = 0; id < STREAMS; id++) transport.deliverRecords({ type: 1, target: 'Read', arguments: [], streamIds: [`${id}`] });
    let sent = 0;
    for (let round = 1; round < CAPACITY; round++) {
      // In one turn a connection reads a limited number of messages.
      await turn();
      for (let id = 0; id < STREAMS && !transport.paused; id++, sent++) {
        transport.deliverRecords({ type: 2, invocationId: `${id}`, item });
      }
    }
    await turn();
    return sent;
  }

  function open(
    unreadStreamMs = Infinity,
    sharedHeldSize = Infinity,
  ): { hub: TestHub; transport: RecordingTransport; readers: AsyncIterator<unknown>[] } {
    const hub = new TestHub({ limits: { streamBufferCapacity: CAPACITY, maximumMessageSize: MESSAGE, unreadStreamMs, sharedHeldSize } });
    const readers: AsyncIterator<unknown>[] = [];
    hub.method(hubMethod('Read', [stream(text)]), ({ args }) => {
      readers.push(iteratorOf(args[0]));
      return new Promise(() => undefined);
    });
    return { hub, transport: hub.connect().transport, readers };
  }

  it('hold a limited number of bytes together, although none of them is full', async () => {
    const { transport, readers } = open();
    const sent = await fill(transport);
    expect(transport.paused).toBe(true);
    expect(sent).toBe(Math.ceil((4 * CAPACITY * MESSAGE) / (MESSAGE - 100)));
    await readers[0].next();
    expect(transport.paused).toBe(false);
  });

  it('hold a few bytes of each client once those of all hold too many', async () => {
    const { hub, transport, readers } = open(Infinity, 3 * CAPACITY * MESSAGE);
    const others = [hub.connect().transport, hub.connect().transport];
    await fill(transport);
    const sent = [await fill(others[0]), await fill(others[1])];
    expect([sent, others.map(({ paused }) => paused)]).toEqual([
      [2, 2],
      [true, true],
    ]);
    // As soon as those of the first are read, there is room for the others.
    for (const reader of readers.slice(0, STREAMS)) for (let item = 0; item < 2; item++) await reader.next();
    hub.pass(1);
    expect(others.map(({ paused }) => paused)).toEqual([false, false]);
  });

  it('of lists hold as many bytes as those of texts', async () => {
    const hub = new TestHub({ limits: { streamBufferCapacity: CAPACITY, maximumMessageSize: MESSAGE } });
    hub.method(hubMethod('Read', [stream(any)]), () => new Promise(() => undefined));
    const { transport } = hub.connect();
    const sent = await fill(transport, ['x'.repeat(MESSAGE - 100)]);
    expect([transport.paused, sent < 4 * CAPACITY * 2]).toEqual([true, true]);
  });

  it('fail when nothing begins to read them in time, and hold up nothing any more', async () => {
    const { hub, transport, readers } = open(5 * SECOND);
    await fill(transport);
    hub.pass(7);
    const read = async (): Promise<void> => {
      // What has arrived comes first.
      for (let item = 0; item < CAPACITY; item++) await readers[0].next();
    };
    await expect(read()).rejects.toThrow('Nobody began to read the stream in time.');
  });
});

describe('a stream from a client that is not read at all', () => {
  /** The seconds without a taken item after which a stream counts as stalled. */
  const LIMIT = 10;

  /** A connection with a stream that is full after two items. `take` reads the next item. */
  function stalled(): { hub: TestHub; transport: RecordingTransport; connection: HubConnection; take: () => Promise<unknown> } {
    const hub = new TestHub({ limits: { streamBufferCapacity: 2 }, slowStreamBuffer: 0 });
    let reader: AsyncIterator<number> | undefined;
    hub.method(hubMethod('Read', [stream(number)]), ({ args }) => {
      reader = iteratorOf(args[0]);
      return new Promise(() => undefined);
    });
    const { transport, connection } = hub.connect();
    return {
      hub,
      transport,
      connection,
      take: async () => (await reader?.next())?.value,
    };
  }

  const items = [1, 2].map((item) => ({ type: 2, invocationId: '1', item }));
  const start = [{ type: 1, target: 'Read', arguments: [], streamIds: ['1'] }, ...items];

  it('fails when the server waits for an answer of the client, so that the answer gets through', async () => {
    const { hub, transport, connection, take } = stalled();
    transport.deliverRecords(...start);
    const answer = connection.invoke(question, ['?'], { timeoutMs: 600 * SECOND });
    hub.pass(LIMIT);
    expect(transport.paused).toBe(true);
    hub.pass(1);
    expect(transport.paused).toBe(false);
    transport.deliverRecords(...items, { type: 3, invocationId: 's1', result: 'here' });
    expect(await answer).toBe('here');
    expect([await take(), await take()]).toEqual([1, 2]);
    await expect(take()).rejects.toThrow('The stream was not read for too long, and held up the answers of its sender.');
  });

  it('may stay full as long as the server waits for no answer of the client', () => {
    const { hub, transport } = stalled();
    transport.deliverRecords(...start);
    hub.pass(600);
    expect(transport.paused).toBe(true);
  });

  it('may stay full as long as its reader takes an item now and then', async () => {
    const { hub, transport, connection, take } = stalled();
    transport.deliverRecords(...start);
    const answer = connection.invoke(question, ['?'], { timeoutMs: 600 * SECOND });
    for (let round = 0; round < 10; round++) {
      hub.pass(LIMIT - 1);
      expect(transport.paused).toBe(true);
      await take();
      transport.deliverRecords(items[0]);
    }
    transport.lose();
    await expect(answer).rejects.toThrow();
  });

  it('may stay full when the server had asked before the stream was opened, as for the stream itself', async () => {
    const { hub, transport, connection } = stalled();
    const answer = connection.invoke(question, ['Send me a stream, will you?'], { timeoutMs: 600 * SECOND });
    transport.deliverRecords(...start);
    hub.pass(600);
    expect(transport.paused).toBe(true);
    transport.lose();
    await expect(answer).rejects.toThrow();
  });
});

describe('a stream from a client whose reading has not begun', () => {
  const items = Array.from({ length: 20 }, () => ({ type: 2, invocationId: '1', item: 1 }));

  function reading(begins: boolean): { hub: TestHub; transport: RecordingTransport; reader: () => AsyncIterator<number> } {
    const hub = new TestHub({ limits: { streamBufferCapacity: 2, unreadStreamMs: 5 * SECOND }, slowStreamBuffer: 2 });
    let reader: AsyncIterator<number>;
    hub.method(hubMethod('Read', [stream(number)]), async ({ args }) => {
      reader = iteratorOf(args[0]);
      if (begins) await reader.next();
      return new Promise(() => undefined);
    });
    const { transport } = hub.connect();
    transport.deliverRecords({ type: 1, target: 'Read', arguments: [], streamIds: ['1'] }, ...items);
    return { hub, transport, reader: () => reader };
  }

  it('fails after a while, so that messages behind it get through', async () => {
    const { hub, transport, reader } = reading(false);
    hub.pass(5);
    expect(transport.paused).toBe(true);
    hub.pass(1);
    expect(transport.paused).toBe(false);
    transport.deliverRecords({ type: 1, invocationId: 'behind', target: 'Missing', arguments: [] });
    expect(transport.records()).toEqual([expect.objectContaining({ invocationId: 'behind' })]);
    for (const _item of items) await reader().next();
    await expect(reader().next()).rejects.toThrow('Nobody began to read');
  });

  it('does not fail once its reading has begun, even slowly', () => {
    const { hub, transport } = reading(true);
    hub.pass(60);
    expect(transport.paused).toBe(true);
  });
});
