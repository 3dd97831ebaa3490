import { describe, expect, it } from 'vitest';
import { hubMethod } from '../calls/method-descriptor.js';
import { call, TestHub } from '../test-hub.fixture.js';
import { any } from '../wire-type.js';

describe('a broken message', () => {
  it.each([
    ['{"type":1}\x1e', "Expected 'target' to be of type String."],
    ['nonsense\x1e', 'The message is no JSON.'],
    ['x'.repeat(1_001), 'The maximum message size of 1000 bytes was exceeded.'],
  ])('ends the connection and tells the client the reason: %#', (broken, error) => {
    const hub = new TestHub({ limits: { maximumMessageSize: 1_000 } });
    const seen: unknown[] = [];
    hub.method(hubMethod('Note', [any]), ({ args }) => void seen.push(args[0]));
    const { transport } = hub.connect();
    transport.deliver(`{"type":1,"target":"Note","arguments":[1]}\x1e${broken}`);
    expect(seen).toEqual([1]);
    expect(transport.records()).toEqual([{ type: 7, error, allowReconnect: true }]);
    transport.deliverRecords(call('Note', 2));
    expect(seen).toEqual([1]);
  });

  it('ends the connection as soon as more bytes have arrived than a message may have', () => {
    const hub = new TestHub({ limits: { maximumMessageSize: 1_000 } });
    const { transport } = hub.connect();
    for (let piece = 0; piece < 10; piece++) transport.deliver('x'.repeat(100));
    expect(transport.ended).toBeUndefined();
    transport.deliver('x');
    expect(transport.ended).toBe('gracefully');
  });
});
