import { describe, expect, it } from '@jest/globals';
import { jsonProtocol } from './json-protocol.js';
import type { HubMessage } from './messages.js';
import { messagePackProtocol } from './messagepack-protocol.js';
import { UnreadBytes } from './unread-bytes.js';

describe('a message that comes in pieces', () => {
  it('is kept whole, in few buffers however many the pieces', () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => Buffer.from(`${index},`));
    const message = new UnreadBytes(Buffer.from('start,'));
    const rooms = new Set<ArrayBufferLike>();
    for (const piece of pieces) {
      message.append(piece);
      rooms.add(message.all.buffer);
    }
    const { all } = message;
    expect(all.toString()).toBe(`start,${Buffer.concat(pieces).toString()}`);
    expect(rooms.size).toBeLessThanOrEqual(Math.ceil(Math.log2(all.length)));
  });

  it('goes piece by piece, also in few buffers, and leaves what was handed out as it is', () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => Buffer.from(`${index},`));
    const unread = new UnreadBytes(Buffer.concat(pieces));
    const rooms = new Set<ArrayBufferLike>();
    const handedOut: Buffer[] = [];
    for (const piece of pieces) {
      const { all } = unread;
      rooms.add(all.buffer);
      handedOut.push(all.subarray(0, piece.length));
      unread.drop(piece.length);
      if (handedOut.length % 2 === 0) unread.append(piece);
    }
    expect(Buffer.concat(handedOut)).toEqual(Buffer.concat(pieces));
    expect(unread.all).toEqual(Buffer.concat(pieces.filter((_piece, index) => index % 2 === 1)));
    expect(rooms.size).toBeLessThan(20);
  });

  it('gives back the room that it no longer needs', () => {
    const unread = new UnreadBytes(Buffer.alloc(1_000_000, 'x'));
    unread.drop(999_999);
    expect(unread.all.toString()).toBe('x');
    expect(unread.all.buffer.byteLength).toBeLessThan(1_000);
  });

  it('is its own copy', () => {
    const chunk = Buffer.from('abc');
    const message = new UnreadBytes(chunk);
    chunk.fill('x');
    message.append(Buffer.from('d'));
    expect(message.all.toString()).toBe('abcd');
  });

  it('is not searched again for its end', () => {
    const ping = Buffer.from('{"type":6}\x1e');
    const accepted: unknown[] = [];
    const sink = { isHeld: false, accept: (message: unknown) => void accepted.push(message) };
    // A wrong word about what was searched already shows that nobody looks there again.
    expect(jsonProtocol.parse(ping, 1_000, sink, ping.length)).toBe(0);
    expect(jsonProtocol.parse(ping, 1_000, sink, ping.length - 1)).toBe(ping.length);
    expect(accepted).toEqual([{ type: 6 }]);
  });
});

describe('messages that come together', () => {
  it.each([
    ['JSON', jsonProtocol],
    ['MessagePack', messagePackProtocol],
  ])('are left unread from the one on that cannot be taken: %s', (_case, protocol) => {
    const cancel = (invocationId: string): Buffer => Buffer.from(protocol.write({ type: 5, invocationId }));
    const sink = {
      seen: [] as HubMessage[],
      get isHeld(): boolean {
        return this.seen.length === 2;
      },
      accept(message: HubMessage): void {
        this.seen.push(message);
      },
    };
    const messages = ['a', 'b', 'c'].map(cancel);
    expect(protocol.parse(Buffer.concat(messages), 1_000, sink)).toBe(messages[0].length + messages[1].length);
    expect(sink.seen).toEqual(['a', 'b'].map((invocationId) => ({ type: 5, invocationId })));
  });
});
