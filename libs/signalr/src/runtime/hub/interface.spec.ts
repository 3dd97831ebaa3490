import { describe, expect, it } from 'vitest';
import { Observable, range, Subject } from 'rxjs';
import type { HubProtocol } from '../../protocol/hub-protocol.js';
import { jsonProtocol } from '../../protocol/json-protocol.js';
import { ClientCall } from '../calls/client-call.js';
import { HubError } from '../errors.js';
import { hubMethod, stream } from '../calls/method-descriptor.js';
import { call, eventually, invocation, news, TestHub, turn } from '../test-hub.fixture.js';
import { number, text } from '../wire-type.js';

describe('a connection, as the program sees it', () => {
  it.each([
    ['without a reason', {}, { type: 7, allowReconnect: false }, 'closed by the server'],
    ['with an error', { error: 'Too late.' }, { type: 7, error: 'Too late.', allowReconnect: false }, 'Too late.'],
    ['for now', { allowReconnect: true }, { type: 7, allowReconnect: true }, 'closed by the server'],
  ])('can be closed %s', async (_case, options, message, reason) => {
    const hub = new TestHub();
    const farewells: string[] = [];
    hub.lifecycle({ onDisconnected: (_connection, why) => void farewells.push(why) });
    const { transport, connection } = hub.connect();
    connection.send(news, ['before']);
    connection.close(options);
    connection.close({ error: 'again' });
    await turn();
    expect(transport.records().at(-1)).toEqual(message);
    expect([transport.records().length, transport.ended, farewells]).toEqual([2, 'gracefully', [reason]]);
  });

  it('can be aborted without a message', async () => {
    const hub = new TestHub();
    const farewells: string[] = [];
    hub.lifecycle({ onDisconnected: (_connection, why) => void farewells.push(why) });
    const { transport, connection } = hub.connect();
    connection.abort();
    await turn();
    expect([transport.sent, transport.ended, farewells]).toEqual([[], 'at once', ['aborted by the server']]);
  });

  it('shows the request, transport and encoding of the client', () => {
    const { connection } = new TestHub().connect();
    const { request, transport, encoding } = connection;
    expect([request.path, request.query.get('room'), request.headers.get('user-agent')]).toEqual(['/hub', 'blue', 'spec']);
    expect([transport, encoding]).toEqual(['WebSockets', 'json']);
  });
});

describe('the methods of a hub', () => {
  it('get the types of their descriptors', () => {
    const hub = new TestHub();
    const add = hubMethod('Add', [number, number], number);
    // Compiled by tsc, which fails here when inference does.
    hub.method(add, ({ args: [left, right] }) => left + right);
    // @ts-expect-error a text is no number
    hub.method(hubMethod('Wrong', [text], number), ({ args: [word] }) => word);
    hub.method(hubMethod('Later', [text], text), ({ args: [word] }) => Promise.resolve(word));
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Add', 1, 2));
    expect(transport.records()).toEqual([{ type: 3, invocationId: '1', result: 3 }]);
  });
});

describe('Observables as streams', () => {
  const start = { type: 4, invocationId: '1', target: 'Count', arguments: [] };

  it('send their items and their end', async () => {
    const hub = new TestHub();
    hub.method(hubMethod('Count', [], stream(number)), () => range(1, 3));
    const { transport } = hub.connect();
    transport.deliverRecords(start);
    await eventually(() => transport.records().length === 4);
    const items = [1, 2, 3].map((item) => ({ type: 2, invocationId: '1', item }));
    expect(transport.records()).toEqual([...items, { type: 3, invocationId: '1' }]);
  });

  it('send their error', async () => {
    const hub = new TestHub();
    const source = new Subject<number>();
    hub.method(hubMethod('Count', [], stream(number)), () => source);
    const { transport } = hub.connect();
    transport.deliverRecords(start);
    source.next(1);
    source.error(new HubError('no more'));
    await eventually(() => transport.records().length === 2);
    const error = 'An error occurred on the server while streaming results. HubException: no more';
    expect(transport.records()).toEqual([
      { type: 2, invocationId: '1', item: 1 },
      { type: 3, invocationId: '1', error },
    ]);
  });

  it.each(['cancels', 'leaves'])('are unsubscribed from when the client %s', async (how) => {
    const hub = new TestHub();
    let isSubscribed = false;
    const silent = new Observable<number>(() => {
      isSubscribed = true;
      return () => (isSubscribed = false);
    });
    hub.method(hubMethod('Count', [], stream(number)), () => silent);
    const { transport } = hub.connect();
    transport.deliverRecords(start);
    await turn();
    expect(isSubscribed).toBe(true);
    if (how === 'cancels') transport.deliverRecords({ type: 5, invocationId: '1' });
    else transport.lose();
    await eventually(() => !isSubscribed);
  });

  it('fail when far too many items wait for a client that reads slowly', async () => {
    const hub = new TestHub({ limits: { sendHighWaterMark: 100 } });
    const source = new Subject<number>();
    hub.method(hubMethod('Count', [], stream(number)), () => source);
    const { transport } = hub.connect();
    transport.bufferedAmount = 101;
    transport.deliverRecords(start);
    for (let item = 0; item < 10_000; item++) source.next(item);
    expect(source.observed).toBe(false);
    transport.lose();
  });
});

describe('a protocol of the program', () => {
  const shouting: HubProtocol = {
    name: 'shouting',
    encoding: 'json',
    binary: false,
    parse: (data, maximumMessageSize, sink, searched) => jsonProtocol.parse(data, maximumMessageSize, sink, searched),
    write: (message) => jsonProtocol.write(message).toString().toUpperCase(),
  };

  it('is spoken with clients that ask for it, beside others', () => {
    const hub = new TestHub({ protocols: [jsonProtocol, shouting] });
    const heard: string[] = [];
    hub.method(hubMethod('Say', [text]), ({ args, connection }) => void heard.push(`${connection.encoding} ${args[0]}`));
    const [plain, loud] = [hub.connect(), hub.connectWith('Shouting')];
    loud.transport.deliverRecords(call('Say', 'hello'));
    hub.push('all', new ClientCall(news, ['hi']), {});
    expect(heard).toEqual(['json hello']);
    expect(plain.transport.sent.join('')).toBe('{"type":1,"target":"News","arguments":["hi"]}\x1e');
    expect(loud.transport.sent.join('')).toBe('{"TYPE":1,"TARGET":"NEWS","ARGUMENTS":["HI"]}\x1e');
  });

  it('can be the only one, and must have a name of its own', () => {
    const transport = new TestHub({ protocols: [shouting] }).openTransport();
    transport.deliverRecords({ protocol: 'json', version: 1 });
    expect(transport.records()).toEqual([{ error: "The protocol 'json' is not supported." }]);
    expect(() => new TestHub({ protocols: [shouting, { ...jsonProtocol, name: 'SHOUTING' }] })).toThrow('Two protocols have the same name');
  });
});
