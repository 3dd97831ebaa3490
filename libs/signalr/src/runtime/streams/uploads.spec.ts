import { describe, expect, it } from 'vitest';
import { hubMethod, stream } from '../calls/method-descriptor.js';
import { call, gate, invocation, iterableOf, iteratorOf, refused, TestHub, turn } from '../test-hub.fixture.js';
import { any, number } from '../wire-type.js';

describe('streams from a client', () => {
  it('pauses the socket when the buffer of a stream is full, and resumes it when the buffer is half empty', async () => {
    const hub = new TestHub({ limits: { streamBufferCapacity: 10 } });
    const iterators: AsyncIterator<number>[] = [];
    const done = gate();
    hub.method(hubMethod('Put', [stream(number)]), ({ args }) => {
      iterators.push(iteratorOf(args[0]));
      return done.opened;
    });
    const { transport } = hub.connect();
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

  it('drops unread items once the method is done, and goes on reading from the socket', async () => {
    const hub = new TestHub({ limits: { streamBufferCapacity: 2 } });
    const done = gate();
    hub.method(hubMethod('Ignore', [stream(any)]), () => done.opened);
    const { transport } = hub.connect();
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

  it('keeps a stream whose id belonged to one that has ended, when the call of the former one is done', async () => {
    const hub = new TestHub();
    const [first, second] = [gate(), gate()];
    const seen: number[] = [];
    hub.method(hubMethod('First', [stream(number)]), () => first.opened);
    hub.method(hubMethod('Second', [stream(number)]), async ({ args }) => {
      await second.opened;
      for await (const item of iterableOf(args[0])) seen.push(item);
    });
    const { transport } = hub.connect();
    transport.deliverRecords({ type: 1, target: 'First', arguments: [], streamIds: ['1'] }, { type: 3, invocationId: '1' });
    transport.deliverRecords({ type: 1, target: 'Second', arguments: [], streamIds: ['1'] }, { type: 2, invocationId: '1', item: 1 });
    first.open();
    await turn();
    transport.deliverRecords({ type: 2, invocationId: '1', item: 2 }, { type: 3, invocationId: '1' });
    second.open();
    await turn();
    expect(seen).toEqual([1, 2]);
  });

  it.each<[string, object]>([
    ['has ended', { type: 3, invocationId: '1' }],
    ['has failed', { type: 2, invocationId: '1', item: 'does not fit' }],
  ])('resumes the socket when a full stream %s, and keeps its items for its reader', async (_case, end) => {
    const hub = new TestHub({ limits: { streamBufferCapacity: 2 } });
    const start = gate();
    const seen: number[] = [];
    hub.method(hubMethod('Read', [stream(number)]), async ({ args }) => {
      await start.opened;
      for await (const item of iterableOf(args[0])) seen.push(item);
    });
    const { transport } = hub.connect();
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
    ['has ended', { type: 3, invocationId: 'a' }],
    ['has failed', { type: 2, invocationId: 'a', item: 'does not fit' }],
  ])('pauses the socket for calls that wait once the last stream %s', async (_case, end) => {
    const hub = new TestHub({ limits: { parallelInvocations: 1 } });
    const work = gate();
    hub.method(hubMethod('Work', []), () => work.opened);
    hub.method(hubMethod('Put', [stream(number)]), () => work.opened);
    const { transport } = hub.connect();
    transport.deliverRecords({ type: 1, target: 'Put', arguments: [], streamIds: ['a'] }, call('Work'), call('Work'));
    expect(transport.paused).toBe(false);
    transport.deliverRecords(end);
    expect(transport.paused).toBe(true);
    work.open();
    await turn();
    expect(transport.paused).toBe(false);
  });

  it('fails the stream, and not the connection, when an item does not fit', async () => {
    const hub = new TestHub();
    const read: Promise<unknown>[] = [];
    hub.method(hubMethod('Put', [stream(number)]), ({ args }) => {
      read.push(iteratorOf(args[0]).next());
      return read[0].catch(() => undefined);
    });
    const { transport } = hub.connect();
    transport.deliverRecords({ type: 1, target: 'Put', arguments: [], streamIds: ['1'] }, { type: 2, invocationId: '1', item: 'one' });
    await expect(read[0]).rejects.toThrow('A stream item does not fit: expected number');
    expect(transport.ended).toBeUndefined();
  });

  it('tells the caller that its stream does not fit, or its own reason for the failure, without a line in the log', async () => {
    const hub = new TestHub();
    hub.method(hubMethod('Put', [stream(number)]), async ({ args }) => {
      for await (const item of iterableOf(args[0])) expect(item).toBe(1);
    });
    const { transport } = hub.connect();
    const put = (id: string): object => ({ type: 1, invocationId: `call ${id}`, target: 'Put', arguments: [], streamIds: [id] });
    transport.deliverRecords(put('1'), { type: 2, invocationId: '1', item: 1 }, { type: 2, invocationId: '1', item: 'one' });
    transport.deliverRecords(put('2'), { type: 3, invocationId: '2', error: 'The disk broke.' });
    await turn();
    const failed = "An unexpected error occurred invoking 'Put' on the server. HubException:";
    expect(transport.records()).toEqual([
      { type: 3, invocationId: 'call 2', error: `${failed} The disk broke.` },
      { type: 3, invocationId: 'call 1', error: `${failed} A stream item does not fit: expected number` },
    ]);
    expect(hub.errors).toEqual([]);
  });

  it('logs nothing when a client leaves during an upload, but does log other faults then', async () => {
    const hub = new TestHub();
    const read = async (source: AsyncIterable<number>): Promise<void> => {
      for await (const item of source) expect(item).toBe(1);
    };
    hub.method(hubMethod('Put', [stream(number)]), ({ args }) => read(iterableOf(args[0])));
    hub.method(hubMethod('Wrap', [stream(number)]), ({ args }) =>
      read(iterableOf(args[0])).catch((error: unknown) => Promise.reject(new Error('The file was not stored.', { cause: error }))),
    );
    hub.method(hubMethod('Break', [stream(number)]), ({ args }) =>
      read(iterableOf(args[0])).catch(() => Promise.reject(new Error('The disk is full.'))),
    );
    const { transport } = hub.connect();
    const targets = ['Put', 'Wrap', 'Break'];
    transport.deliverRecords(...targets.map((target) => ({ type: 1, invocationId: target, target, arguments: [], streamIds: [target] })));
    transport.deliverRecords({ type: 2, invocationId: 'Put', item: 1 });
    await turn();
    transport.lose();
    await turn();
    expect(hub.errors).toEqual(["'Break' of hub /hub: The disk is full."]);
  });

  it('refuses more streams than the limit, and a stream whose id is in use', async () => {
    const hub = new TestHub({ limits: { maximumStreams: 2 } });
    hub.method(hubMethod('Put', [stream(any)]), () => new Promise(() => undefined));
    const { transport } = hub.connect();
    const put = (id: string): object => ({ type: 1, invocationId: `call ${id}`, target: 'Put', arguments: [], streamIds: [id] });
    transport.deliverRecords(put('1'), put('1'), put('2'), put('3'));
    await turn();
    expect(transport.records()).toEqual([
      { type: 3, invocationId: 'call 1', error: refused('Put', "The stream '1' is open already.") },
      { type: 3, invocationId: 'call 3', error: refused('Put', 'Too many streams are open.') },
    ]);
  });

  it('counts a stream until its call is done, even when the stream has ended before', async () => {
    const hub = new TestHub({ limits: { maximumStreams: 2 } });
    const done = gate();
    hub.method(hubMethod('Put', [stream(any)]), () => done.opened);
    const { transport } = hub.connect();
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

  it('refuses a call with fewer streams than the method takes', () => {
    const hub = new TestHub();
    hub.method(hubMethod('Put', [stream(any)]), () => undefined);
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Put'));
    expect(transport.records()).toEqual([{ type: 3, invocationId: '1', error: refused('Put', 'The method takes 1 stream(s), not 0.') }]);
  });
});
