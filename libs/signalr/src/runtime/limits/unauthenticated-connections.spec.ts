import { describe, expect, it } from 'vitest';
import { SECOND, TestHub } from '../test-hub.fixture.js';

describe('unauthenticated connections', () => {
  it('count by their source until they are vouched for or end', () => {
    const hub = new TestHub({ limits: { maximumUnauthenticatedPerSource: 2 } });
    const [first, second] = [hub.connect(undefined, 'here'), hub.connect(undefined, 'here')];
    expect([hub.unauthenticated.hasRoom('here'), hub.unauthenticated.hasRoom('there')]).toEqual([false, true]);
    first.connection.vouch();
    first.connection.vouch();
    expect(hub.unauthenticated.hasRoom('here')).toBe(true);
    const third = hub.connect(undefined, 'here');
    expect(hub.unauthenticated.hasRoom('here')).toBe(false);
    second.transport.lose();
    expect(hub.unauthenticated.hasRoom('here')).toBe(true);
    hub.connect(undefined, 'here');
    first.transport.lose();
    expect(hub.unauthenticated.hasRoom('here')).toBe(false);
    third.transport.lose();
    expect(hub.unauthenticated.hasRoom('here')).toBe(true);
  });

  it('count also before their handshake', () => {
    const hub = new TestHub({ limits: { maximumUnauthenticatedPerSource: 1 } });
    const transport = hub.openTransport(undefined, 'here');
    expect(hub.unauthenticated.hasRoom('here')).toBe(false);
    transport.lose();
    expect(hub.unauthenticated.hasRoom('here')).toBe(true);
  });

  it('may stay for a limited time only, even if they send messages', () => {
    const hub = new TestHub({ limits: { unauthenticatedTimeoutMs: 60 * SECOND } });
    const [known, unknown] = [hub.connect(undefined, 'here'), hub.connect(undefined, 'here')];
    known.connection.vouch();
    for (let second = 0; second < 60; second += 1) {
      for (const { transport } of [known, unknown]) transport.deliverRecords({ type: 6 });
      expect(unknown.transport.ended).toBeUndefined();
      hub.pass(1);
    }
    expect([known.transport.ended, unknown.transport.ended]).toEqual([undefined, 'gracefully']);
    expect(unknown.transport.records().at(-1)).toMatchObject({ type: 7, allowReconnect: true });
  });
});
