import { describe, expect, it } from 'vitest';
import { HubError } from '../errors.js';
import { hubMethod, type HubMethodDescriptor, stream } from '../calls/method-descriptor.js';
import { eventually, gate, invocation, refused, TestHub, turn } from '../test-hub.fixture.js';
import { number, text } from '../wire-type.js';
import type { StreamSource } from './stream-source.js';

/** A stream without items that ends when `signal` is aborted. */
async function* endlessUntil(signal: AbortSignal): AsyncGenerator<number> {
  while (!signal.aborted) {
    await turn();
    if (signal.aborted) yield 0;
  }
}

describe('streams to a client', () => {
  it('asks the method for no more items while the socket is congested, and stops it when the client cancels', async () => {
    const hub = new TestHub({ limits: { sendHighWaterMark: 100 } });
    let pulled = 0;
    let stopped = 0;
    hub.method(hubMethod('Count', [], stream(number)), async function* () {
      try {
        for (;;) yield await Promise.resolve(++pulled);
      } finally {
        stopped++;
      }
    });
    const { transport } = hub.connect();
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

  it('stops the method when the connection ends while the stream waits for the socket', async () => {
    const hub = new TestHub({ limits: { sendHighWaterMark: 100 } });
    let stopped = 0;
    hub.method(hubMethod('Count', [], stream(number)), async function* () {
      try {
        for (;;) yield await Promise.resolve(1);
      } finally {
        stopped++;
      }
    });
    const { transport } = hub.connect();
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
    expect(hub.errors).toEqual([]);
  });

  let end: (result: IteratorReturnResult<undefined>) => void;
  it.each<[string, (ended: () => void) => StreamSource<number>]>([
    [
      'an Observable',
      (ended) => ({
        subscribe: () => ({
          unsubscribe() {
            ended();
            throw new Error('the end broke');
          },
        }),
      }),
    ],
    [
      'an iterable',
      (ended) => ({
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise((resolve) => (end = resolve)),
          return() {
            ended();
            end({ done: true, value: undefined });
            throw new Error('the end broke');
          },
        }),
      }),
    ],
  ])('outlives the end of %s that fails when the client cancels', async (_case, source) => {
    const failures: unknown[] = [];
    const note = (error: unknown): void => void failures.push(error);
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', note);
    try {
      const hub = new TestHub();
      let ends = 0;
      hub.method(hubMethod('Endless', [], stream(number)), () => source(() => ends++));
      const { transport } = hub.connect();
      transport.deliverRecords({ type: 4, invocationId: '1', target: 'Endless', arguments: [] });
      await turn();
      transport.deliverRecords({ type: 5, invocationId: '1' });
      await turn();
      expect(ends).toBe(1);
      expect(transport.records()).toEqual([{ type: 3, invocationId: '1' }]);
      expect(failures).toEqual([]);
    } finally {
      process.off('uncaughtException', note);
      for (const other of others) process.on('uncaughtException', other);
    }
  });

  it('refuses a second stream under an id that is in use', async () => {
    const hub = new TestHub();
    hub.method(hubMethod('Wait', [], stream(number)), ({ signal }) => endlessUntil(signal));
    const { transport } = hub.connect();
    const start = { type: 4, invocationId: '1', target: 'Wait', arguments: [] };
    transport.deliverRecords(start, start);
    await turn();
    expect(transport.records()).toEqual([{ type: 3, invocationId: '1', error: "Invocation ID '1' is already in use." }]);
    transport.lose();
    await turn();
  });

  it('refuses a plain call under the id of a stream, which can be cancelled afterwards', async () => {
    const hub = new TestHub();
    let stopped = 0;
    hub.method(hubMethod('Wait', [], stream(number)), async function* ({ signal }) {
      try {
        yield* endlessUntil(signal);
      } finally {
        stopped++;
      }
    });
    hub.method(hubMethod('Work', []), ({ signal }) => void signal.aborted);
    const { transport } = hub.connect();
    transport.deliverRecords({ type: 4, invocationId: '1', target: 'Wait', arguments: [] }, invocation('1', 'Work'));
    await turn();
    expect(transport.records()).toEqual([{ type: 3, invocationId: '1', error: "Invocation ID '1' is already in use." }]);
    transport.deliverRecords({ type: 5, invocationId: '1' });
    await eventually(() => stopped === 1);
  });

  it('stops a stream whose id was in use by a plain call, when the connection ends', async () => {
    const hub = new TestHub();
    let stopped = 0;
    const work = gate();
    hub.method(hubMethod('Wait', [], stream(number)), async function* ({ signal }) {
      try {
        yield* endlessUntil(signal);
      } finally {
        stopped++;
      }
    });
    hub.method(hubMethod('Work', []), async (running) => {
      await work.opened;
      running.signal.addEventListener('abort', () => undefined);
    });
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Work'), { type: 4, invocationId: '1', target: 'Wait', arguments: [] });
    work.open();
    await turn();
    transport.lose();
    await eventually(() => stopped === 1);
  });

  it('refuses more streams than the limit', async () => {
    const hub = new TestHub({ limits: { maximumStreams: 1 } });
    hub.method(hubMethod('Wait', [], stream(number)), ({ signal }) => endlessUntil(signal));
    const { transport } = hub.connect();
    for (const invocationId of ['1', '2']) transport.deliverRecords({ type: 4, invocationId, target: 'Wait', arguments: [] });
    await turn();
    expect(transport.records()).toEqual([{ type: 3, invocationId: '2', error: refused('Wait', 'Too many streams are open.') }]);
    transport.lose();
    await turn();
  });

  it('counts a stream, keeps its id and can cancel it while its method is still preparing', async () => {
    const hub = new TestHub({ limits: { maximumStreams: 1 } });
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
    const { transport } = hub.connect();
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

  it('tells the client that a stream broke, with the reason only when the error is a HubError', async () => {
    const hub = new TestHub();
    hub.method(hubMethod('Break', [text], stream(number)), async function* ({ args }) {
      yield await Promise.resolve(1);
      throw args[0] === 'openly' ? new HubError('no more') : new Error('secret');
    });
    const { transport } = hub.connect();
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
    expect(hub.errors).toEqual(["'Break' of hub /hub: secret"]);
  });

  it('reports a streaming method that does not return an async iterable', async () => {
    const hub = new TestHub();
    hub.method<HubMethodDescriptor>(hubMethod('Lie', [], stream(number)), () => 5);
    const { transport } = hub.connect();
    transport.deliverRecords({ type: 4, invocationId: '1', target: 'Lie', arguments: [] });
    await turn();
    expect(hub.errors).toEqual(["'Lie' of hub /hub: 'Lie' returned neither an async iterable nor an Observable."]);
  });
});
