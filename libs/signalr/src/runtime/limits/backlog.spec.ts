import { describe, expect, it } from 'vitest';
import { hubMethod } from '../calls/method-descriptor.js';
import { call, gate, SECOND, TestHub, turn } from '../test-hub.fixture.js';

const START = '{"type":1,"target":"Note","arguments":["';

describe('messages that begin and do not end', () => {
  it('end their connection after a while, although bytes keep dripping in', () => {
    const hub = new TestHub();
    const { transport } = hub.connect();
    transport.deliver(START);
    for (let second = 0; second < 30; second += 1) {
      hub.pass(1);
      transport.deliver('x');
      expect(transport.ended).toBeUndefined();
    }
    hub.pass(2);
    expect(transport.ended).toBe('at once');
  });

  it('end their connection also when a frame begins and does not end', () => {
    const hub = new TestHub({ limits: { clientTimeoutMs: 600 * SECOND } });
    const { transport } = hub.connect();
    for (let second = 0; second < 30; second += 1) {
      transport.deliverPartOfFrame(1);
      hub.pass(1);
    }
    expect(transport.ended).toBeUndefined();
    hub.pass(2);
    expect(transport.ended).toBe('at once');
  });

  it('have more time the larger they are, and each its own', () => {
    const hub = new TestHub({ limits: { clientTimeoutMs: 600 * SECOND } });
    const [large, many] = [hub.connect().transport, hub.connect().transport];
    large.deliver(START + 'x'.repeat(90_000));
    for (let second = 0; second < 50; second += 1) {
      many.deliver(second % 2 === 0 ? START : '"]}\x1e');
      hub.pass(1);
    }
    expect([large.ended, many.ended]).toEqual([undefined, undefined]);
    hub.pass(5);
    expect(large.ended).toBe('at once');
  });

  it('do not count while the server itself does not read', async () => {
    const hub = new TestHub({ limits: { parallelInvocations: 1 } });
    const work = gate();
    hub.method(hubMethod('Work', []), () => work.opened);
    const { transport } = hub.connect();
    transport.deliverRecords(call('Work'), call('Work'), call('Work'));
    expect(transport.paused).toBe(true);
    hub.pass(300);
    expect(transport.ended).toBeUndefined();
  });

  it('end the oldest unauthenticated ones when they hold too many bytes together, then the oldest of the others', () => {
    const hub = new TestHub({ maximumUnreadBytes: 110_000 });
    const known = [hub.connect('user'), hub.connect('user')];
    const unauthenticated = [hub.connect(undefined, 'here'), hub.connect(undefined, 'here')];
    const [first, second] = known.map(({ transport }) => transport);
    const [third, fourth] = unauthenticated.map(({ transport }) => transport);
    for (const transport of [first, third, fourth]) transport.deliver(START + 'x'.repeat(30_000));
    const ended = (): unknown[] => [first, second, third, fourth].map((transport) => transport.ended);
    expect(ended()).toEqual([undefined, undefined, undefined, undefined]);
    second.deliver(START + 'x'.repeat(30_000));
    expect(ended()).toEqual([undefined, undefined, 'at once', undefined]);
    // The buffer is made twice as large as needed.
    second.deliver('x'.repeat(5_000));
    expect(ended()).toEqual([undefined, undefined, 'at once', 'at once']);
    second.deliverPartOfFrame(20_000);
    expect(ended()).toEqual(['at once', undefined, 'at once', 'at once']);
    second.lose();
    expect(hub.backlog.bytes).toBe(0);
  });

  it('are forgotten when they are complete', async () => {
    const hub = new TestHub({ maximumUnreadBytes: 100_000 });
    const { transport } = hub.connect();
    for (let message = 0; message < 100; message += 1) {
      transport.deliverPartOfFrame(20_000);
      expect(hub.backlog.bytes).toBe(20_000);
      transport.deliver(`${START}${'x'.repeat(20_000)}"]}\x1e`);
      expect(hub.backlog.bytes).toBe(0);
      await turn();
    }
    expect(transport.ended).toBeUndefined();
  });
});

describe('a first frame that is larger than any handshake', () => {
  it('is refused before it has ended', () => {
    const hub = new TestHub();
    const transport = hub.openTransport();
    transport.deliverPartOfFrame(10_000);
    expect(transport.ended).toBeUndefined();
    transport.deliverPartOfFrame(10_000);
    expect(transport.records()).toEqual([{ error: 'The handshake is too large.' }]);
    expect(transport.ended).toBe('gracefully');
  });
});
