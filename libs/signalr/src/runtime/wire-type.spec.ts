import { describe, expect, it } from 'vitest';
import { PreciseDate } from '../wire/precise-date.js';
import { any, bigint, bytes, date, integer, number } from './wire-type.js';

const file = new Uint8Array([0, 255, 7]);

describe('wire.any', () => {
  it.each<[what: string, value: unknown, json: unknown]>([
    ['bytes', file, 'AP8H'],
    ['a Buffer', Buffer.from(file), 'AP8H'],
    ['bytes deep inside', { files: [{ name: 'a', content: file }] }, { files: [{ name: 'a', content: 'AP8H' }] }],
    ['a map', new Map<unknown, unknown>([[1, file]]), { 1: 'AP8H' }],
    ['a set', new Set([1]), [1]],
    ['a BigInt', [5n], [5]],
    ['a name that every object has', JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
    ['a time with ticks', new PreciseDate(0, 100), '1970-01-01T00:00:00.0000001Z'],
  ])('writes %s to JSON in a form that clients can read', (_what, value, json) => {
    expect(JSON.parse(JSON.stringify(any.encode(value, 'json')))).toEqual(json);
    expect(any.encode(value, 'messagepack')).toBe(value);
  });

  it('copies nothing that JSON can express', () => {
    const value = { a: [1, 'two', { three: null }], at: new Date(0) };
    expect(any.encode(value, 'json')).toBe(value);
  });

  it('refuses a BigInt that JSON would round', () => {
    expect(() => any.encode({ size: 2n ** 53n }, 'json')).toThrow('A whole number beyond 53 bits goes over JSON as bigint only.');
  });
});

describe('the other wire types', () => {
  it.each([
    ['integer', integer, 2 ** 53, 'expected a whole number of at most 53 bits'],
    ['integer', integer, 0.5, 'expected a whole number of at most 53 bits'],
    ['number', number, 2n ** 60n, 'expected number and no whole number of more than 53 bits, which takes the type bigint'],
    ['any', any, 2n ** 60n, 'expected no whole number of more than 53 bits'],
    ['bigint', bigint, 2n ** 63n, 'expected a whole number of 64 bits'],
    ['bigint', bigint, 2 ** 53, 'expected a whole number of 64 bits'],
    ['date', date, 'tomorrow', 'expected a date and time'],
    ['date', date, '5', 'expected a date and time'],
    ['date', date, '2026-02-29T10:11:12Z', 'expected a date and time'],
    ['date', date, '2026-04-31', 'expected a date and time'],
    ['date', date, 'Mon, 14 Sep 2026 10:11:12 GMT', 'expected a date and time'],
    ['date', date, '2026-09-14T10:11:12Z (or later)', 'expected a date and time'],
    ['date', date, 5, 'expected a date and time'],
    ['bytes', bytes, 'A', 'expected bytes as base64 text'],
  ])('%s says what does not fit', (_name, type, raw, text) => {
    expect(() => type.decode(raw, 'json')).toThrow(text);
  });

  it('carry the values of their type', () => {
    expect(integer.decode(2 ** 40, 'messagepack')).toBe(2 ** 40);
    expect([bigint.decode(5, 'messagepack'), bigint.decode(2n ** 62n, 'messagepack')]).toEqual([5n, 2n ** 62n]);
    expect(bigint.encode(5n, 'json')).toBe(5);
    expect(bigint.encode(2n ** 62n, 'json')).toBe(2n ** 62n);
    expect(date.decode('2026-09-14T10:11:12.1234567+02:00', 'json')).toEqual(
      new PreciseDate(Date.parse('2026-09-14T08:11:12.123Z'), 456_700),
    );
    expect(date.decode('2026-09-14T10:11:12Z', 'json')).toEqual(new Date('2026-09-14T10:11:12Z'));
    for (const raw of [
      '2028-02-29T23:59:59-14:00',
      '2026-09-14',
      '2026-09-14T10:11',
      '2026-09-14T10:11:12.5',
      '2026-09-14T10:11:12.123456789-05:30',
      '+012026-09-14T10:11:12.000Z',
    ]) {
      expect(date.decode(raw, 'json').getTime()).toBe(Date.parse(raw));
    }
    expect(JSON.stringify(date.encode(new PreciseDate(0, 100), 'json'))).toBe('"1970-01-01T00:00:00.0000001Z"');
  });
});
