import { describe, expect, it } from 'vitest';
import { FINAL, headerSize, Opcode, writeHeader } from './frames.js';

const FIRST = FINAL | Opcode.Binary;

describe('the header of a WebSocket frame', () => {
  it.each([
    [0, '8200'],
    [125, '827d'],
    [126, '827e007e'],
    [65_535, '827effff'],
    [65_536, '827f0000000000010000'],
    [4_294_967_295, '827f00000000ffffffff'],
    [4_294_967_296, '827f0000000100000000'],
  ])('has the shortest form for %s bytes of payload', (length, hex) => {
    const bytes = new Uint8Array(20).fill(0xee);
    expect(writeHeader(bytes, 3, FIRST, length)).toBe(3 + headerSize(length));
    expect(Buffer.from(bytes).toString('hex')).toBe(`eeeeee${hex}`.padEnd(40, 'e'));
  });
});
