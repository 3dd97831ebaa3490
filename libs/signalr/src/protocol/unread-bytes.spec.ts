import { describe, expect, it } from 'vitest';
import { jsonProtocol } from './json-protocol.js';
import type { HubMessage } from './messages.js';
import { messagePackProtocol } from './messagepack-protocol.js';
import { UnreadBytes } from './unread-bytes.js';

describe('UnreadBytes', () => {
  it('puts thousands of pieces together in few buffers', () => {
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

  it('drops thousands of pieces in few buffers, and does not change bytes that it has handed out', () => {
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
    expect(Buffer.concat(handedOut).equals(Buffer.concat(pieces))).toBe(true);
    expect(unread.all.equals(Buffer.concat(pieces.filter((_piece, index) => index % 2 === 1)))).toBe(true);
    expect(rooms.size).toBeLessThan(20);
  });

  it('takes a smaller buffer when most of its bytes were dropped', () => {
    const unread = new UnreadBytes(Buffer.alloc(1_000_000, 'x'));
    unread.drop(999_999);
    expect(unread.all.toString()).toBe('x');
    expect(unread.all.buffer.byteLength).toBeLessThan(1_000);
  });

  it('keeps a copy of the bytes that it takes', () => {
    const chunk = Buffer.from('abc');
    const message = new UnreadBytes(chunk);
    chunk.fill('x');
    message.append(Buffer.from('d'));
    expect(message.all.toString()).toBe('abcd');
  });
});

describe('messages that arrive together or in pieces', () => {
  it('are not searched again for an end that was not found', () => {
    const ping = Buffer.from('{"type":6}\x1e');
    const accepted: unknown[] = [];
    const sink = { isHeld: false, accept: (message: unknown) => void accepted.push(message) };
    // To call the whole message searched, which it is not, shows that nothing looks there again.
    expect(jsonProtocol.parse(ping, 1_000, sink, ping.length)).toBe(0);
    expect(jsonProtocol.parse(ping, 1_000, sink, ping.length - 1)).toBe(ping.length);
    expect(accepted).toEqual([{ type: 6 }]);
  });

  it.each([
    ['JSON', jsonProtocol],
    ['MessagePack', messagePackProtocol],
  ])('stay unread from the first one that the sink cannot take: %s', (_case, protocol) => {
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
