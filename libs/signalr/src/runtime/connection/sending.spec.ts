import { describe, expect, it } from 'vitest';
import type { HubConnection } from './hub-connection.js';
import { news, SECOND, TestHub } from '../test-hub.fixture.js';
import type { text } from '../wire-type.js';

describe('messages to clients', () => {
  it('refuses to send a call with the wrong number of arguments', () => {
    const { connection } = new TestHub().connect();
    expect(() => connection.send<readonly (typeof text)[]>(news, [])).toThrow("'News' takes 1 argument(s), not 0.");
  });

  it('ends a connection that does not read, and logs the reason', () => {
    const hub = new TestHub({ limits: { maximumUnsentBytes: 1_000 } });
    const { transport, connection } = hub.connect();
    transport.bufferedAmount = 1_000;
    connection.send(news, ['fits']);
    expect(transport.ended).toBeUndefined();
    transport.bufferedAmount = 1_001;
    connection.send(news, ['too much']);
    expect(transport.ended).toBe('at once');
    expect(hub.warnings).toEqual(['Connection n.1 of hub /hub reads too slowly: more than 1000 bytes are unsent.']);
  });

  it('keeps only the newest message of each key while the connection is congested', () => {
    const hub = new TestHub({ limits: { sendHighWaterMark: 100 } });
    const { transport, connection } = hub.connect();
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

  it('limits how much it keeps for a congested connection', () => {
    const hub = new TestHub({ limits: { sendHighWaterMark: 100, maximumUnsentBytes: 1_000 } });
    const { transport, connection } = hub.connect();
    transport.bufferedAmount = 101;
    for (let index = 0; index < 100; index++) connection.sendLatest('same', news, ['x'.repeat(100)]);
    expect(transport.ended).toBeUndefined();
    for (let index = 0; index < 20; index++) connection.sendLatest(`key ${index}`, news, ['x'.repeat(100)]);
    expect(transport.ended).toBe('at once');
  });

  it.each<[what: string, wait: (connection: HubConnection) => void]>([
    ['a replaceable message', (connection) => connection.sendLatest('a', news, ['a1'])],
    ['a sender', (connection) => void connection.drained()],
    ['the next ping', () => undefined],
  ])('ends a client that pings but does not read, when %s waits for it', (_what, wait) => {
    const hub = new TestHub({ limits: { sendHighWaterMark: 100, drainTimeoutMs: 60 * SECOND, keepAliveMs: 15 * SECOND } });
    const { transport, connection } = hub.connect();
    const passWithPings = (seconds: number): void => {
      for (let second = 0; second < seconds; second++) {
        hub.pass(1);
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
    expect(hub.warnings).toEqual(['Connection n.1 of hub /hub reads too slowly: what was sent has not left for 60000 ms.']);
  });
});
