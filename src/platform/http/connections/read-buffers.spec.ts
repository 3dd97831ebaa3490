import { describe, expect, it } from 'vitest';

import { ReadBuffers } from './read-buffers.js';

const SIZE = 65_536;

describe('the buffers of a socket', () => {
  it('are used again when the bytes read before are not needed any more', () => {
    const buffers = new ReadBuffers();
    const first = buffers.next(true);
    expect(first).toHaveLength(SIZE);
    buffers.take(first, SIZE);
    const second = buffers.next(true);
    expect([second.buffer === first.buffer, second.length]).toEqual([true, SIZE]);
  });

  it('keep needed bytes: reads follow one another in a buffer, and a new one begins when little room is left', () => {
    const buffers = new ReadBuffers();
    const read: Buffer[] = [];
    for (const [index, length] of [20_000, 12_768, 1, SIZE, 5].entries()) {
      const room = buffers.next(false);
      room.fill(index + 1);
      read.push(buffers.take(room, length));
    }
    expect(read.map((bytes) => bytes.length)).toEqual([20_000, 12_768, 1, SIZE, 5]);
    expect(read.every((bytes, index) => bytes.every((byte) => byte === index + 1))).toBe(true);
    expect(new Set(read.map(({ buffer }) => buffer)).size).toBe(3);
  });

  it('are few however small the reads are', () => {
    const buffers = new ReadBuffers();
    const used = new Set<ArrayBufferLike>();
    for (let bytes = 0; bytes < 262_144; bytes += 64) {
      const room = buffers.next(false);
      used.add(buffers.take(room, 64).buffer);
    }
    expect(used.size).toBeLessThanOrEqual(8);
    // They stay, and are used in the same order.
    buffers.take(buffers.next(true), SIZE);
    for (let at = 1; at < used.size; at += 1) expect(used.has(buffers.take(buffers.next(false), SIZE).buffer)).toBe(true);
  });

  it('are kept up to a number when the bytes read before are needed for ever', () => {
    const buffers = new ReadBuffers();
    const used = new Set<ArrayBufferLike>();
    const readOn = (): ArrayBufferLike => buffers.take(buffers.next(false), SIZE).buffer;
    for (let reads = 0; reads < 100; reads += 1) used.add(readOn());
    expect(used.size).toBe(100);
    buffers.take(buffers.next(true), SIZE);
    const again = Array.from({ length: 100 }, readOn).filter((memory) => used.has(memory));
    expect(again.length).toBeLessThanOrEqual(16);
  });
});
