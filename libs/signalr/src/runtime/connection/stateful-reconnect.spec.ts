import { beforeEach, describe, expect, it } from 'vitest';
import type { HubConnection } from './hub-connection.js';
import { hubMethod } from '../calls/method-descriptor.js';
import { ReturningTransport } from '../returning-transport.fixture.js';
import { call, eventually, gate, invocation, news, TestHub, REQUEST } from '../test-hub.fixture.js';
import { number, text } from '../wire-type.js';

const BUFFER = 1_000;

let hub: TestHub;
let transport: ReturningTransport;
let heard: string[];

beforeEach(() => {
  hub = new TestHub({ limits: { replayBufferSize: BUFFER, maximumUnsentBytes: 3 * BUFFER, disconnectTimeoutMs: 10_000 } });
  transport = new ReturningTransport();
  heard = [];
  hub.method(hubMethod('Say', [text]), ({ args }) => void heard.push(args[0]));
  hub.method(hubMethod('Add', [number, number], number), ({ args }) => args[0] + args[1]);
});

/** Opens a connection and shakes hands. */
function connect(version = 2): HubConnection {
  hub.open(transport, { connectionId: 'n.me', user: undefined, userId: undefined, remoteAddress: undefined, request: REQUEST });
  transport.deliverRecords({ protocol: 'json', version });
  transport.clear();
  const connection = hub.connection('n.me');
  if (connection === undefined) throw new Error('The connection is not open.');
  return connection;
}

const completion = (invocationId: string, result: unknown): object => ({ type: 3, invocationId, result });
const said = (...words: string[]): object[] => words.map((word) => ({ type: 1, target: 'News', arguments: [word] }));
const sequence = (sequenceId: number): object => ({ type: 9, sequenceId });
const ack = (sequenceId: number): object => ({ type: 8, sequenceId });

describe('a client of version 2 over a transport that can be replaced', () => {
  it('gets unacknowledged messages again, after the number of the first', () => {
    const connection = connect();
    connection.send(news, ['one']);
    transport.deliverRecords(invocation('1', 'Add', 1, 2));
    transport.deliverRecords(ack(1));
    transport.loseSocket();
    connection.send(news, ['three']);
    transport.comeBack();
    connection.send(news, ['four']);
    expect(transport.records()).toEqual([sequence(2), completion('1', 3), ...said('three', 'four')]);
  });

  it('gets the number of the next message when it has all messages', () => {
    const connection = connect();
    connection.send(news, ['one']);
    transport.deliverRecords(ack(1));
    transport.loseSocket();
    transport.comeBack();
    expect(transport.records()).toEqual([sequence(2)]);
  });

  it('has each of its messages carried out once', () => {
    connect();
    transport.deliverRecords(call('Say', 'one'), call('Say', 'two'));
    transport.loseSocket();
    transport.comeBack();
    transport.deliverRecords(call('Say', 'not numbered yet'), sequence(2), call('Say', 'two'), call('Say', 'three'));
    expect(heard).toEqual(['one', 'two', 'three']);
  });

  it('sends a message again that the server has received only in part', () => {
    connect();
    transport.deliver('{"type":1,"target":"Say","arg');
    transport.loseSocket();
    transport.comeBack();
    transport.deliverRecords(sequence(1), call('Say', 'one'));
    expect(heard).toEqual(['one']);
    expect(hub.backlog.bytes).toBe(0);
  });

  it('gets an acknowledgement every second, and at once for large messages', () => {
    connect();
    transport.deliverRecords(call('Say', 'one'), { type: 6 }, call('Say', 'two'));
    expect(transport.records()).toEqual([]);
    hub.pass(1);
    expect(transport.records()).toEqual([ack(2)]);
    hub.pass(1);
    expect(transport.records()).toEqual([ack(2)]);
    transport.deliverRecords(call('Say', 'x'.repeat(40_000)));
    expect(transport.records()).toEqual([ack(2), ack(3)]);
  });

  it('is not disconnected for its silence while it is away', () => {
    const connection = connect();
    transport.loseSocket();
    hub.pass(100);
    expect(connection.isOpen).toBe(true);
    transport.comeBack();
    hub.pass(29);
    expect(connection.isOpen).toBe(true);
    hub.pass(1);
    expect(connection.isOpen).toBe(false);
  });

  it('is congested until it acknowledges its messages', async () => {
    const connection = connect();
    connection.send(news, ['x'.repeat(BUFFER)]);
    expect(connection.isCongested).toBe(true);
    let isDrained = false;
    const drained = connection.drained().then(() => (isDrained = true));
    transport.drain();
    await Promise.resolve();
    expect(isDrained).toBe(false);
    transport.deliverRecords(ack(1));
    transport.drain();
    await drained;
    expect(connection.isCongested).toBe(false);
  });

  it('is sent more when it has come back, before it acknowledges anything', async () => {
    const connection = connect();
    connection.send(news, ['x'.repeat(BUFFER)]);
    const drained = connection.drained();
    transport.drain();
    transport.loseSocket();
    expect(connection.isCongested).toBe(true);
    transport.comeBack();
    transport.drain();
    await drained;
    expect(connection.isCongested).toBe(false);
  });

  it('is disconnected when it acknowledges nothing and the buffer overflows', () => {
    const connection = connect();
    for (let sent = 0; sent < 4; sent += 1) connection.send(news, ['x'.repeat(BUFFER)]);
    expect(connection.isOpen).toBe(false);
    expect(hub.warnings).toEqual([expect.stringContaining('reads too slowly: more than 3000 bytes are unsent')]);
  });

  it('is disconnected when it comes back again and again, and acknowledges only what was sent twice', () => {
    const connection = connect();
    let returns = 0;
    for (; returns < 20 && connection.isOpen; returns += 1) {
      connection.send(news, ['x'.repeat(BUFFER)]);
      transport.loseSocket();
      transport.comeBack();
      transport.deliverRecords(sequence(1), ack(returns + 1));
    }
    // Everything is kept until it acknowledges something newer, and would be sent a third time.
    expect(returns).toBeLessThan(10);
    expect(hub.warnings).toEqual([expect.stringContaining('more than 3000 bytes are unsent')]);
  });

  it.each([
    ['acknowledges what it was not sent', [ack(1)], 'The client acknowledges a message that it was not sent.'],
    ['leaves messages out', [sequence(2)], 'The sequence id leaves out messages that were not received.'],
  ])('is disconnected when it %s', (_case, records, error) => {
    connect();
    transport.deliverRecords(...records);
    expect(transport.records()).toEqual([{ type: 7, error, allowReconnect: true }]);
    expect(transport.ended).toBe('gracefully');
  });

  it('is disconnected when it breaks the protocol in a message that has waited for onConnected', async () => {
    const greeting = gate();
    const farewells: string[] = [];
    hub.lifecycle({ onConnected: () => greeting.opened, onDisconnected: (_connection, reason) => void farewells.push(reason) });
    connect();
    transport.deliverRecords(ack(1), call('Say', 'too late'));
    expect(transport.ended).toBeUndefined();
    greeting.open();
    await eventually(() => farewells.length > 0);
    const error = 'The client acknowledges a message that it was not sent.';
    expect(transport.records()).toEqual([{ type: 7, error, allowReconnect: true }]);
    expect(farewells).toEqual([error]);
    expect(heard).toEqual([]);
  });

  it('can be disconnected while it is away', () => {
    const connection = connect();
    transport.loseSocket();
    connection.abort('No more.');
    expect(connection.isOpen).toBe(false);
    expect(hub.size).toBe(0);
  });
});

describe('a client of version 1', () => {
  it('cannot come back, and its messages have no numbers', () => {
    const connection = connect(1);
    expect(transport.awaitsReturn).toBe(false);
    connection.send(news, ['x'.repeat(2 * BUFFER)]);
    expect(connection.isCongested).toBe(false);
    transport.deliverRecords(ack(7), sequence(9), call('Say', 'one'));
    hub.pass(2);
    expect(transport.records()).toHaveLength(1);
    expect(heard).toEqual(['one']);
  });
});
