import { describe, expect, it } from 'vitest';
import { ClientCall } from '../calls/client-call.js';
import { hubMethod } from '../calls/method-descriptor.js';
import { eventually, news, question, SECOND, TestHub } from '../test-hub.fixture.js';
import { any } from '../wire-type.js';

describe('the handshake of a hub connection', () => {
  it('reads a handshake that arrives in pieces, together with the first messages', () => {
    const hub = new TestHub();
    const seen: unknown[] = [];
    hub.method(hubMethod('Note', [any]), ({ args }) => void seen.push(args[0]));
    const transport = hub.openTransport();
    transport.deliver('{"protocol":"js');
    transport.deliver('on","version":1}\x1e{"type":1,"target":"Note","argum');
    transport.deliver('ents":[1]}\x1e{"type":1,"target":"Note","arguments":[2]}\x1e');
    expect(transport.sent).toEqual(['{}\x1e']);
    expect(seen).toEqual([1, 2]);
  });

  it('takes the name of the protocol in any case', () => {
    const hub = new TestHub();
    const transport = hub.openTransport();
    transport.deliverRecords({ protocol: 'MessagePack', version: 2 });
    expect(transport.sent).toEqual(['{}\x1e']);
    expect(hub.connection('n.1')?.encoding).toBe('messagepack');
  });

  it.each([
    ['{"protocol":"xml","version":1}\x1e', "The protocol 'xml' is not supported."],
    ['{"protocol":"constructor","version":1}\x1e', "The protocol 'constructor' is not supported."],
    ['{"protocol":"json","version":7}\x1e', "The server does not support version 7 of the 'json' protocol."],
    ['nonsense\x1e', 'The handshake is no JSON.'],
  ])('refuses a handshake with the reason: %j', (handshake, error) => {
    const farewells: string[] = [];
    const hub = new TestHub();
    hub.lifecycle({ onDisconnected: (_connection, reason) => void farewells.push(reason) });
    const transport = hub.openTransport();
    transport.deliver(handshake);
    expect(transport.records()).toEqual([{ error }]);
    expect(transport.ended).toBe('gracefully');
    expect(hub.size).toBe(0);
    expect(farewells).toEqual([]);
  });

  it('ends a connection whose handshake takes too long, even when its bytes keep trickling in', () => {
    const hub = new TestHub({ limits: { handshakeTimeoutMs: 15 * SECOND } });
    const transport = hub.openTransport();
    hub.pass(14);
    transport.deliver('{');
    expect(transport.ended).toBeUndefined();
    hub.pass(1);
    expect(transport.records()).toEqual([{ error: 'Handshake was canceled: it took too long.' }]);
    expect(transport.ended).toBe('gracefully');
  });

  it('ends a connection whose handshake takes too long, even when pings have paused its socket now and then', async () => {
    const hub = new TestHub();
    const transport = hub.openTransport();
    for (let second = 0; second < 9; second += 1) {
      hub.pass(1);
      for (let ping = 0; ping < 65; ping += 1) transport.ping();
      expect(transport.paused).toBe(true);
      await eventually(() => !transport.paused);
    }
    hub.pass(1);
    expect(transport.records()).toEqual([{ error: 'Handshake was canceled: it took too long.' }]);
  });

  it('sends nothing to a connection before its handshake', async () => {
    const hub = new TestHub();
    const transport = hub.openTransport();
    void hub.addToGroup('n.1', 'room');
    hub.push('all', new ClientCall(news, ['early']), {});
    hub.push({ groups: ['room'] }, new ClientCall(news, ['early']), {});
    expect(hub.connection('n.1')).toBeUndefined();
    await expect(hub.ask('n.1', new ClientCall(question, ['?']), {})).rejects.toThrow("'n.1' does not exist");
    expect(transport.sent).toEqual([]);
  });
});
