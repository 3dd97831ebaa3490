import { describe, expect, it } from '@jest/globals';
import { IncompleteMessage } from './incomplete-message.js';
import { jsonProtocol } from './json-protocol.js';

describe('a message that comes in pieces', () => {
  it('is kept whole, in few buffers however many the pieces', () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => Buffer.from(`${index},`));
    const message = new IncompleteMessage(Buffer.from('start,'));
    const rooms = new Set<ArrayBufferLike>();
    let all: Buffer = Buffer.alloc(0);
    for (const piece of pieces) {
      all = message.append(piece);
      rooms.add(all.buffer);
    }
    expect(all.toString()).toBe(`start,${Buffer.concat(pieces).toString()}`);
    expect(message.length).toBe(all.length);
    expect(rooms.size).toBeLessThanOrEqual(Math.ceil(Math.log2(all.length)));
  });

  it('is its own copy', () => {
    const chunk = Buffer.from('abc');
    const message = new IncompleteMessage(chunk);
    chunk.fill('x');
    expect(message.append(Buffer.from('d')).toString()).toBe('abcd');
  });

  it('is not searched again for its end', () => {
    const ping = Buffer.from('{"type":6}\x1e');
    const accepted: unknown[] = [];
    const sink = { accept: (message: unknown) => void accepted.push(message) };
    // A wrong word about what was searched already shows that nobody looks there again.
    expect(jsonProtocol.parse(ping, 1_000, sink, ping.length)).toBe(0);
    expect(jsonProtocol.parse(ping, 1_000, sink, ping.length - 1)).toBe(ping.length);
    expect(accepted).toEqual([{ type: 6 }]);
  });
});
