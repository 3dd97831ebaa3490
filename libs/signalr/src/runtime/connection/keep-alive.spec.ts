import { describe, expect, it } from 'vitest';
import { hubMethod } from '../calls/method-descriptor.js';
import { call, gate, news, TestHub, turn } from '../test-hub.fixture.js';

describe('the keep-alive of a hub connection', () => {
  it('pings a connection that was sent nothing for the keep-alive interval, and no other one', () => {
    const hub = new TestHub();
    const quiet = hub.connect().transport;
    const { transport: busy, connection } = hub.connect();
    hub.pass(10);
    connection.send(news, ['hello']);
    quiet.deliverRecords({ type: 6 });
    busy.deliverRecords({ type: 6 });
    busy.clear();
    hub.pass(5);
    expect(quiet.records()).toEqual([{ type: 6 }]);
    expect(busy.records()).toEqual([]);
    hub.pass(10);
    expect(busy.records()).toEqual([{ type: 6 }]);
  });

  it('ends a connection that has sent nothing for 30 seconds', () => {
    const hub = new TestHub();
    const { transport } = hub.connect();
    hub.pass(20);
    transport.deliverRecords({ type: 6 });
    hub.pass(29);
    expect(transport.ended).toBeUndefined();
    transport.clear();
    hub.pass(1);
    expect(transport.records()).toEqual([{ type: 7, error: 'The client was silent for 30000 ms.', allowReconnect: true }]);
    expect(transport.ended).toBe('gracefully');
  });

  it('does not take the suspension of its own process for silence of the client', () => {
    const hub = new TestHub();
    const { transport } = hub.connect();
    hub.jump(600);
    expect(transport.ended).toBeUndefined();
  });

  it('does not take the silence of a socket that it has paused for silence of the client', async () => {
    const hub = new TestHub({ limits: { parallelInvocations: 1 } });
    const work = gate();
    hub.method(hubMethod('Work', []), () => work.opened);
    const { transport } = hub.connect();
    transport.deliverRecords(call('Work'), call('Work'));
    expect(transport.paused).toBe(true);
    hub.pass(60);
    expect(transport.ended).toBeUndefined();
    work.open();
    await turn();
    expect(transport.paused).toBe(false);
    hub.pass(29);
    expect(transport.ended).toBeUndefined();
    hub.pass(1);
    expect(transport.ended).toBe('gracefully');
  });
});
