import { decode } from '@msgpack/msgpack';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainMemory } from './memory.js';
import { MessagePackWriter } from './messagepack-writer.js';

/** The same in every run, so that a failure can be repeated. */
const SEED = 20_263;

describe('the MessagePack writer', () => {
  const written = (write: (writer: MessagePackWriter) => void): Uint8Array => {
    const writer = new MessagePackWriter(plainMemory);
    writer.begin();
    write(writer);
    return writer.end();
  };
  const hexOf = (write: (writer: MessagePackWriter) => void): string => Buffer.from(written(write)).toString('hex');

  it.each([
    [0n, '00'],
    [127n, '7f'],
    [128n, 'cc80'],
    [255n, 'ccff'],
    [256n, 'cd0100'],
    [65535n, 'cdffff'],
    [65536n, 'ce00010000'],
    [4294967295n, 'ceffffffff'],
    [4294967296n, 'cf0000000100000000'],
    [9007199254740991n, 'cf001fffffffffffff'],
    [9007199254740993n, 'cf0020000000000001'],
    [18446744073709551615n, 'cfffffffffffffffff'],
    [-1n, 'ff'],
    [-32n, 'e0'],
    [-33n, 'd0df'],
    [-128n, 'd080'],
    [-129n, 'd1ff7f'],
    [-32768n, 'd18000'],
    [-32769n, 'd2ffff7fff'],
    [-2147483648n, 'd280000000'],
    [-2147483649n, 'd3ffffffff7fffffff'],
    [-9007199254740991n, 'd3ffe0000000000001'],
    [-9223372036854775808n, 'd38000000000000000'],
  ])('writes %s in its shortest form', (value, hex) => {
    expect(hexOf((writer) => writer.integer(value))).toBe(hex);
    expect(hexOf((writer) => writer.value(value))).toBe(hex);
    if (!Number.isSafeInteger(Number(value))) return;
    expect(hexOf((writer) => writer.integer(Number(value)))).toBe(hex);
    expect(hexOf((writer) => writer.value(Number(value)))).toBe(hex);
  });

  it('writes no fraction and no more than 64 bits as an integer', () => {
    expect(() => written((writer) => writer.integer(0.5))).toThrow(RangeError);
    expect(() => written((writer) => writer.integer(2n ** 64n))).toThrow('more than 64 bits');
  });

  it.each([
    [0, 'cb0000000000000000'],
    [16, 'cb4030000000000000'],
    [-0.5, 'cbbfe0000000000000'],
  ])('writes %s as an 8-byte float', (value, hex) => {
    expect(hexOf((writer) => writer.double(value))).toBe(hex);
  });

  it('writes a small number in 64 bits where that is asked for', () => {
    expect(hexOf((writer) => writer.unsigned64(1n))).toBe('cf0000000000000001');
  });

  it('writes the shortest header that fits each length', () => {
    for (const length of [0, 15, 16, 24, 25, 31, 32, 255, 256, 4096, 4098, 65535, 65536]) {
      const text = 'ä'.repeat(length / 2) + 'x'.repeat(length % 2);
      expect(decode(written((writer) => writer.text(text)))).toBe(text);
      expect(written((writer) => writer.text(text)).length).toBe(length + (length < 32 ? 1 : length < 256 ? 2 : length < 65536 ? 3 : 5));
      expect(written((writer) => writer.bytes(new Uint8Array(length))).length).toBe(length + (length < 256 ? 2 : length < 65536 ? 3 : 5));
      expect(written((writer) => writer.arrayHeader(length)).length).toBe(length < 16 ? 1 : length < 65536 ? 3 : 5);
      expect(written((writer) => writer.mapHeader(length)).length).toBe(length < 16 ? 1 : length < 65536 ? 3 : 5);
    }
  });

  it('writes any values so that another library reads them', () => {
    const values = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.maxSafeInteger(),
        fc.double({ noNaN: true }),
        fc.boolean(),
        fc.constant(null),
        fc.uint8Array({ maxLength: 60 }),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(values, (items) => {
        const expected = items.map((item) => (typeof item === 'string' ? new TextDecoder().decode(new TextEncoder().encode(item)) : item));
        expect(decode(written((writer) => writer.value(items)))).toEqual(expected);
      }),
      { seed: SEED },
    );
  });

  it('never changes a written message, and begins the next one without what an error has left', () => {
    const writer = new MessagePackWriter(plainMemory);
    const messages: Uint8Array[] = [];
    const texts = Array.from({ length: 50 }, (_, index) => `${index} `.repeat(100 * index));
    for (const text of texts) {
      writer.begin();
      writer.arrayHeader(2);
      expect(() => writer.value([text, Symbol(text)])).toThrow(TypeError);
      writer.begin(3);
      writer.text(text);
      messages.push(writer.end());
    }
    expect(messages.map((message) => decode(message.subarray(3)))).toEqual(texts);
  });

  it('puts bytes that are MessagePack already among others', () => {
    const name = written((writer) => writer.text('Name'));
    const map = written((writer) => {
      writer.mapHeader(1);
      writer.encoded(name);
      writer.nil();
    });
    expect(decode(map)).toEqual({ Name: null });
  });
});
