import { describe, expect, it } from 'vitest';
import { HubError } from '../errors.js';
import type { HubFilter } from './hub-filter.js';
import { hubMethod, stream } from '../calls/method-descriptor.js';
import { call, gate, invocation, TestHub, turn } from '../test-hub.fixture.js';
import { number, text } from '../wire-type.js';

const double = hubMethod('Double', [number], number);
const count = hubMethod('Count', [number], stream(number));

/** Notes when it is entered and left. */
function noting(log: string[], name: string): HubFilter {
  return {
    async onCall({ method }, next) {
      log.push(`${name}: ${method} begins`);
      const result = await next();
      log.push(`${name}: ${method} ends`);
      return result;
    },
    async onConnected(_connection, next) {
      log.push(`${name}: connects`);
      await next();
      log.push(`${name}: connected`);
    },
    async onDisconnected(_connection, reason, next) {
      log.push(`${name}: ${reason}`);
      await next();
      log.push(`${name}: disconnected`);
    },
  };
}

describe('filters of calls', () => {
  it('run in their order around the method, those of the server first', async () => {
    const log: string[] = [];
    const hub = new TestHub({ serverFilters: [noting(log, 'server')], filters: [noting(log, 'one'), noting(log, 'two')] });
    hub.method(double, ({ args }) => {
      log.push('method');
      return args[0] * 2;
    });
    const { transport } = hub.connect();
    await turn();
    log.length = 0;
    transport.deliverRecords(invocation('1', 'Double', 4));
    await turn();
    expect(transport.records()).toEqual([{ type: 3, invocationId: '1', result: 8 }]);
    const begin = ['server', 'one', 'two'].map((name) => `${name}: Double begins`);
    expect(log).toEqual([...begin, 'method', ...['two', 'one', 'server'].map((name) => `${name}: Double ends`)]);
  });

  it('see the connection and the call, and may change arguments and result', async () => {
    const seen: unknown[] = [];
    const hub = new TestHub({
      filters: [
        {
          async onCall(filtered, next) {
            const { connection, method, args, invocationId, signal } = filtered;
            seen.push(connection.connectionId, method, args, invocationId, signal.aborted);
            return Number(await next([Number(args[0]) + 1])) + 100;
          },
        },
        {
          onCall(filtered, next) {
            const { connection, method, args, invocationId, signal } = filtered;
            filtered.yieldTurn();
            seen.push(connection.connectionId, method, args, invocationId, signal.aborted);
            return next();
          },
        },
      ],
    });
    hub.method(double, ({ args }) => args[0] * 2);
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('7', 'Double', 4));
    await turn();
    expect(transport.records()).toEqual([{ type: 3, invocationId: '7', result: 110 }]);
    expect(seen).toEqual(['n.1', 'Double', [4], '7', false, 'n.1', 'Double', [5], '7', false]);
  });

  it('may take the place of the method, and fail as it would', async () => {
    const called: string[] = [];
    const hub = new TestHub({
      filters: [
        {
          onCall({ args }, next) {
            if (args[0] === 0) return 42;
            if (args[0] === 1) throw new HubError('Not one.');
            if (args[0] === 2) throw new Error('a secret');
            return next();
          },
        },
      ],
    });
    hub.method(double, ({ args }) => {
      called.push(String(args[0]));
      return args[0] * 2;
    });
    const { transport } = hub.connect();
    for (const value of [0, 1, 2, 3]) transport.deliverRecords(invocation(`${value}`, 'Double', value));
    await turn();
    const unexpected = "An unexpected error occurred invoking 'Double' on the server.";
    expect(transport.records()).toEqual(
      expect.arrayContaining([
        { type: 3, invocationId: '0', result: 42 },
        { type: 3, invocationId: '1', error: `${unexpected} HubException: Not one.` },
        { type: 3, invocationId: '2', error: unexpected },
        { type: 3, invocationId: '3', result: 6 },
      ]),
    );
    expect(called).toEqual(['3']);
    expect(hub.errors).toEqual(["'Double' of hub /hub: a secret"]);
  });

  it('may put a stream around the one that the method returns', async () => {
    const hub = new TestHub({
      filters: [
        {
          async *onCall(_invocation, next) {
            for await (const item of next() as AsyncIterable<number>) yield item * 10;
          },
        },
      ],
    });
    hub.method(count, async function* ({ args }) {
      for (let item = 1; item <= args[0]; item++) yield await Promise.resolve(item);
    });
    const { transport } = hub.connect();
    transport.deliverRecords({ type: 4, invocationId: '1', target: 'Count', arguments: [2] });
    await turn();
    await turn();
    expect(transport.records()).toEqual([
      { type: 2, invocationId: '1', item: 10 },
      { type: 2, invocationId: '1', item: 20 },
      { type: 3, invocationId: '1' },
    ]);
  });

  it('do not see calls that do not fit their method', async () => {
    const log: string[] = [];
    const hub = new TestHub({ filters: [noting(log, 'filter')] });
    hub.method(double, ({ args }) => args[0] * 2);
    const { transport } = hub.connect();
    await turn();
    log.length = 0;
    transport.deliverRecords(call('Double', 'four'), call('Triple', 4));
    await turn();
    expect(log).toEqual([]);
  });
});

describe('an error of another library', () => {
  class KnownError extends Error {}

  const known = (error: unknown): HubError | undefined =>
    error instanceof KnownError ? new HubError(`Known: ${error.message}`) : undefined;

  it('reaches the caller as the error that replaces it, also in the middle of a stream', async () => {
    const hub = new TestHub({ hubErrorOf: known });
    hub.method(double, ({ args }) => {
      throw args[0] === 1 ? new KnownError('one') : new Error('a secret');
    });
    hub.method(count, async function* () {
      yield await Promise.resolve(1);
      throw new KnownError('midway');
    });
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Double', 1), invocation('2', 'Double', 2));
    transport.deliverRecords({ type: 4, invocationId: '3', target: 'Count', arguments: [2] });
    await turn();
    const unexpected = "An unexpected error occurred invoking 'Double' on the server.";
    expect(transport.records()).toEqual(
      expect.arrayContaining([
        { type: 3, invocationId: '1', error: `${unexpected} HubException: Known: one` },
        { type: 3, invocationId: '2', error: unexpected },
        { type: 3, invocationId: '3', error: 'An error occurred on the server while streaming results. HubException: Known: midway' },
      ]),
    );
    expect(hub.errors).toEqual(["'Double' of hub /hub: a secret"]);
  });
});

describe('an error for which hubErrorOf fails', () => {
  const failing = (error: unknown): HubError | undefined => new HubError((error as { text: string }).text.trim());

  it('reaches the caller as an unexpected error, without its text', async () => {
    const hub = new TestHub({ hubErrorOf: failing });
    hub.method(double, () => {
      throw new Error('a secret');
    });
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Double', 1));
    await turn();
    expect(transport.records()).toEqual([
      { type: 3, invocationId: '1', error: "An unexpected error occurred invoking 'Double' on the server." },
    ]);
    expect(hub.errors).toEqual([expect.stringContaining('hubErrorOf of hub /hub: '), "'Double' of hub /hub: a secret"]);
  });

  it('ends the connection in onConnected', async () => {
    const hub = new TestHub({ hubErrorOf: failing });
    hub.lifecycle({ onConnected: () => Promise.reject(new Error('a secret')) });
    const { transport } = hub.connect();
    await turn();
    expect(transport.records()).toEqual([{ type: 7, error: 'Connection closed with an error.', allowReconnect: false }]);
  });
});

describe('an error of another library in onConnected', () => {
  it('reaches the client as the error that replaces it', async () => {
    const hub = new TestHub({ hubErrorOf: () => new HubError('Known.') });
    hub.lifecycle({ onConnected: () => Promise.reject(new Error('a secret')) });
    const { transport } = hub.connect();
    await turn();
    expect(transport.records()).toEqual([
      { type: 7, error: 'Connection closed with an error. HubException: Known.', allowReconnect: false },
    ]);
  });
});

describe('filters of connections', () => {
  it('run around the listeners, also when there are none', async () => {
    const log: string[] = [];
    const hub = new TestHub({ filters: [noting(log, 'one'), noting(log, 'two')] });
    const bare = hub.connect();
    await turn();
    expect(log).toEqual(['one: connects', 'two: connects', 'two: connected', 'one: connected']);
    bare.transport.lose('gone');
    await turn();
    expect(log.slice(4)).toEqual(['one: gone', 'two: gone', 'two: disconnected', 'one: disconnected']);
    log.length = 0;
    hub.lifecycle({ onConnected: () => void log.push('listener'), onDisconnected: () => void log.push('farewell') });
    const { transport } = hub.connect();
    await turn();
    transport.lose('gone');
    await turn();
    expect(log.filter((line) => !line.startsWith('two'))).toEqual([
      'one: connects',
      'listener',
      'one: connected',
      'one: gone',
      'farewell',
      'one: disconnected',
    ]);
  });

  it('refuse a connection by throwing', async () => {
    const hub = new TestHub({ filters: [{ onConnected: () => Promise.reject(new HubError('Not today.')) }] });
    const greeted: string[] = [];
    hub.lifecycle({ onConnected: ({ connectionId }) => void greeted.push(connectionId) });
    const { transport } = hub.connect();
    await turn();
    expect(transport.records()).toEqual([
      { type: 7, error: 'Connection closed with an error. HubException: Not today.', allowReconnect: false },
    ]);
    expect(greeted).toEqual([]);
  });

  it('hold back the first call until they are done', async () => {
    const greeting = gate();
    const hub = new TestHub({
      filters: [
        {
          async onConnected(_connection, next) {
            await greeting.opened;
            await next();
          },
        },
      ],
    });
    const said: string[] = [];
    hub.method(hubMethod('Say', [text]), ({ args }) => void said.push(args[0]));
    const { transport } = hub.connect();
    transport.deliverRecords(call('Say', 'early'));
    await turn();
    expect(said).toEqual([]);
    greeting.open();
    await turn();
    expect(said).toEqual(['early']);
  });

  it('write to the log when they fail at the end of a connection', async () => {
    const hub = new TestHub({
      filters: [
        {
          async onDisconnected(_connection, _reason, next) {
            await next();
            throw new Error('filter failed');
          },
        },
      ],
    });
    hub.lifecycle({ onDisconnected: () => Promise.reject(new Error('listener failed')) });
    const { transport } = hub.connect();
    transport.lose();
    await hub.close({ graceMs: 0 });
    expect(hub.errors).toEqual(['onDisconnected of hub /hub: listener failed', 'onDisconnected of hub /hub: filter failed']);
  });
});
