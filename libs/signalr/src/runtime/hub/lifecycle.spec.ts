import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { HubError } from '../errors.js';
import { hubMethod, stream } from '../calls/method-descriptor.js';
import { gate, iterableOf, question, TestHub, turn } from '../test-hub.fixture.js';
import { number } from '../wire-type.js';

describe('the beginnings and ends of connections', () => {
  it('runs onConnected to its end before the first call, and keeps messages that arrive during it', async () => {
    const order: string[] = [];
    const greeting = gate();
    const hub = new TestHub();
    hub.lifecycle({ onConnected: () => greeting.opened.then(() => void order.push('connected')) });
    hub.method(hubMethod('Total', [stream(number)], number), async ({ args }) => {
      order.push('called');
      let sum = 0;
      for await (const value of iterableOf(args[0])) sum += value;
      return sum;
    });
    const { transport } = hub.connect();
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
    const hub = new TestHub();
    hub.lifecycle({ onConnected: async (connection) => void answers.push(await connection.invoke(question, ['Who?'])) });
    const transport = hub.openTransport();
    transport.deliverRecords({ protocol: 'json', version: 1 });
    transport.deliverRecords({ type: 3, invocationId: 's1', result: 'Me.' });
    await turn();
    expect(answers).toEqual(['Me.']);
  });

  it('ends the connection when onConnected fails, and still runs onDisconnected', async () => {
    const farewells: string[] = [];
    const hub = new TestHub();
    hub.lifecycle({
      onConnected: () => Promise.reject(new Error('not today')),
      onDisconnected: (_connection, reason) => void farewells.push(reason),
    });
    const { transport } = hub.connect();
    await turn();
    expect(transport.records()).toEqual([{ type: 7, error: 'Connection closed with an error.', allowReconnect: false }]);
    expect(farewells).toEqual(['onConnected failed']);
    expect(hub.errors).toEqual(['onConnected of hub /hub: not today']);
  });

  it.each([
    ['a HubError', new HubError('Your licence has ended.'), false, ' HubException: Your licence has ended.'],
    ['any error when detailedErrors is set', new RangeError('too far'), true, ' RangeError: too far'],
  ])('tells the client the text of %s from onConnected', async (_case, error, detailedErrors, text) => {
    const hub = new TestHub({ detailedErrors });
    hub.lifecycle({ onConnected: () => Promise.reject(error) });
    const { transport } = hub.connect();
    await turn();
    expect(transport.records()).toEqual([{ type: 7, error: `Connection closed with an error.${text}`, allowReconnect: false }]);
  });

  it('runs every onDisconnected once, after onConnected, even when another one fails', async () => {
    const order: string[] = [];
    const greeting = gate();
    const hub = new TestHub();
    hub.lifecycle({
      onConnected: () => greeting.opened.then(() => void order.push('connected')),
      onDisconnected: () => {
        order.push('first');
        throw new Error('first listener broke');
      },
    });
    hub.lifecycle({ onDisconnected: (_connection, reason) => void order.push(`second: ${reason}`) });
    const { transport } = hub.connect();
    transport.lose('cable cut');
    transport.lose('again');
    greeting.open();
    await turn();
    expect(order).toEqual(['connected', 'first', 'second: cable cut']);
    expect(hub.errors).toEqual(['onDisconnected of hub /hub: first listener broke']);
  });

  it('runs onDisconnected after an onConnected that begins with the end of the connection', async () => {
    const order: string[] = [];
    const greeting = gate();
    const hub = new TestHub();
    hub.lifecycle({
      async onConnected(connection) {
        connection.close();
        await greeting.opened;
        order.push('connected');
      },
      onDisconnected: () => void order.push('disconnected'),
    });
    hub.openTransport().deliverRecords({ protocol: 'json', version: 1 });
    await turn();
    expect(order).toEqual([]);
    greeting.open();
    await turn();
    expect(order).toEqual(['connected', 'disconnected']);
  });

  it('answers the close message of a client and runs onDisconnected', async () => {
    const farewells: string[] = [];
    const hub = new TestHub();
    hub.lifecycle({ onDisconnected: (_connection, reason) => void farewells.push(reason) });
    const { transport } = hub.connect();
    transport.deliverRecords({ type: 7 });
    await turn();
    expect(transport.records()).toEqual([{ type: 7, allowReconnect: false }]);
    expect(transport.ended).toBe('gracefully');
    expect(farewells).toEqual(['closed by the client']);
  });

  it('lets clients come back when it closes, and waits for every onDisconnected', async () => {
    const goodbye = gate();
    let done = false;
    const hub = new TestHub();
    hub.lifecycle({ onDisconnected: () => goodbye.opened });
    const { transport } = hub.connect();
    const shaking = hub.openTransport();
    const closed = hub.close({ graceMs: 1_000 }).then(() => (done = true));
    expect(transport.records()).toEqual([{ type: 7, allowReconnect: true }]);
    expect(shaking.ended).toBe('gracefully');
    await turn();
    expect(done).toBe(false);
    goodbye.open();
    await closed;
    expect(hub.size).toBe(0);
  });

  it('ends many connections in random order and over time', async () => {
    const farewells: string[] = [];
    const hub = new TestHub();
    hub.lifecycle({ onDisconnected: ({ connectionId }) => void farewells.push(connectionId) });
    const clients = Array.from({ length: 60 }, () => hub.connect());
    const closed = hub.close({ graceMs: 1_000, spreadMs: 100 });
    expect(clients.filter(({ transport }) => transport.ended === 'gracefully')).toHaveLength(12);
    await closed;
    for (const { transport } of clients) expect(transport.records()).toEqual([{ type: 7, allowReconnect: true }]);
    const inOrder = clients.map(({ connection }) => connection.connectionId);
    expect([...farewells].sort()).toEqual([...inOrder].sort());
    expect(farewells).not.toEqual(inOrder);
  });

  it('ends as many in a second as it is told to at least, when there are few', async () => {
    const hub = new TestHub();
    const clients = Array.from({ length: 4 }, () => hub.connect());
    const begun = performance.now();
    const closed = hub.close({ graceMs: 1_000, spreadMs: 60_000, leastPerSecond: 50 });
    expect(clients.filter(({ transport }) => transport.ended === 'gracefully')).toHaveLength(1);
    await closed;
    expect(performance.now() - begun).toBeGreaterThan(55);
    for (const { transport } of clients) expect(transport.ended).toBe('gracefully');
  });

  it('ends a connection that is still needed when it is free, and cuts off the others before', async () => {
    const free = gate();
    const hub = new TestHub();
    const [needed, other] = [hub.connect(), hub.connect()];
    other.transport.end = () => undefined;
    const { connectionId } = needed.connection;
    const closed = hub.close({ graceMs: 5, untilFree: (id) => (id === connectionId ? free.opened : undefined) });
    // A timer cuts it off, and a fast machine takes many turns until then.
    await vi.waitFor(() => expect(other.transport.ended).toBe('at once'), { timeout: 60_000 });
    expect(needed.transport.ended).toBeUndefined();
    expect(hub.connection(connectionId)).toBeDefined();
    free.open();
    await closed;
    expect(needed.transport.ended).toBe('gracefully');
    expect(needed.transport.records()).toEqual([{ type: 7, allowReconnect: true }]);
  });

  it('cuts off no connection without an end of the grace period', async () => {
    const hub = new TestHub();
    const { transport } = hub.connect();
    transport.end = () => undefined;
    const closed = hub.close({ graceMs: Infinity });
    // A timer that is too long would be one of a millisecond, and fire before this one.
    await delay(5);
    expect(transport.ended).toBeUndefined();
    transport.lose();
    await closed;
  });

  it('cuts off connections that have not ended within the grace period', async () => {
    const hub = new TestHub();
    const { transport } = hub.connect();
    transport.end = () => undefined;
    await hub.close({ graceMs: 5 });
    expect(transport.ended).toBe('at once');
  });
});
