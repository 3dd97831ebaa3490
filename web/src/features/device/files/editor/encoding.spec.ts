import { describe, expect, it } from 'vitest';

import { choiceOf, decode, encode, encodingOf, ENCODINGS, type EncodingChoice } from './encoding.js';

const bytes = (...values: (number | string)[]): Uint8Array =>
  Uint8Array.from(
    values.flatMap((value) => (typeof value === 'number' ? [value] : [...value].map((character) => character.charCodeAt(0)))),
  );

const told = (of: Uint8Array): [string, EncodingChoice] | null => {
  const decoded = decode(of);
  return decoded === null ? null : [decoded.text, choiceOf(decoded.encoding)];
};

describe('decode', () => {
  it('knows UTF-8 with and without a mark', () => {
    expect(told(bytes('h', 0xc3, 0xa9))).toEqual(['hé', 'utf-8']);
    expect(told(bytes(0xef, 0xbb, 0xbf, 'h', 0xc3, 0xa9))).toEqual(['hé', 'utf-8-bom']);
    expect(told(bytes())).toEqual(['', 'utf-8']);
  });

  it('knows UTF-16 by its mark and by its zeros', () => {
    expect(told(bytes(0xff, 0xfe, 'h', 0, 0xe9, 0))).toEqual(['hé', 'utf-16le']);
    expect(told(bytes(0xfe, 0xff, 0, 'h', 0, 0xe9))).toEqual(['hé', 'utf-16be']);
    expect(decode(bytes('h', 0, 'i', 0))).toEqual({ text: 'hi', encoding: { name: 'utf-16le', bom: false } });
    expect(decode(bytes(0, 'h', 0, 'i'))).toEqual({ text: 'hi', encoding: { name: 'utf-16be', bom: false } });
  });

  it('takes bytes that are no UTF-8 for Windows-1252', () => {
    expect(told(bytes('caf', 0xe9, ' 5', 0x80))).toEqual(['café 5€', 'windows-1252']);
  });

  it('finds no text in what is binary', () => {
    expect(decode(bytes(0x89, 'PNG', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d))).toBeNull();
    expect(decode(bytes('text', 0, 'more'))).toBeNull();
    expect(decode(bytes(0xff, 1, 2, 3, 4, 5, 6))).toBeNull();
    // Half a character of UTF-16.
    expect(decode(bytes(0xff, 0xfe, 0x00, 0xd8))).toBeNull();
  });
});

describe('encode', () => {
  it.each(ENCODINGS)('gives the same bytes again for %s', (choice) => {
    const text = 'naïve café\r\n“quoted”\n';
    const written = encode(text, encodingOf(choice));
    if (!(written instanceof Uint8Array)) throw new Error(`There is no ${written.missing}.`);
    expect(told(written)).toEqual([text, choice]);
  });

  it('gives every byte of Windows-1252 again, also those without a character', () => {
    const all = Uint8Array.from({ length: 223 }, (_, index) => index + 32);
    const decoded = decode(all);
    expect(decoded?.encoding.name).toBe('windows-1252');
    expect(encode(decoded?.text ?? '', { name: 'windows-1252', bom: false })).toEqual(all);
  });

  it('leaves the mark away that the file did not have', () => {
    const without = bytes('h', 0, 'i', 0);
    expect(encode('hi', { name: 'utf-16le', bom: false })).toEqual(without);
  });

  it('names characters that the encoding does not have', () => {
    expect(encode('a ☃ b ☃ 😀', { name: 'windows-1252', bom: false })).toEqual({ missing: '☃ 😀' });
  });
});
