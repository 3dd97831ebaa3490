import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';

import { guidToHex, hexToGuid, isGuid, newGuid } from './guid.js';

/** Written by hand: the bytes of the first three groups are reversed, the last two groups are unchanged. */
const PAIRS = [
  ['00112233-4455-6677-8899-aabbccddeeff', '33221100554477668899AABBCCDDEEFF'],
  ['f3e2d1c0-b5a4-4798-8a6b-5c4d3e2f1a0b', 'C0D1E2F3A4B598478A6B5C4D3E2F1A0B'],
  ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'E004253F894FD3119A0C0305E82C3301'],
  ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000000000'],
  ['ffffffff-ffff-ffff-ffff-fffffffffffe', 'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFE'],
] as const;

describe('the hexadecimal form of a GUID', () => {
  it.each(PAIRS)('of %s is %s and converts back', (guid, hex) => {
    expect(guidToHex(guid)).toBe(hex);
    expect(hexToGuid(hex)).toBe(guid);
  });

  it('accepts upper and lower case', () => {
    expect(hexToGuid('33221100554477668899aabbccDDEEFF')).toBe('00112233-4455-6677-8899-aabbccddeeff');
    expect(guidToHex('00112233-4455-6677-8899-AABBCCDDEEFF')).toBe('33221100554477668899AABBCCDDEEFF');
  });

  it('equals the form without hyphens only if the groups are byte palindromes, so such GUIDs prove nothing', () => {
    const withoutHyphens = (guid: string): string => guid.replaceAll('-', '').toUpperCase();
    const palindromic = '12343412-5656-7878-9abc-def012345678';
    expect(guidToHex(palindromic)).toBe(withoutHyphens(palindromic));
    expect(guidToHex('11111111-2222-3333-4444-555555555555')).toBe(withoutHyphens('11111111-2222-3333-4444-555555555555'));
    expect(guidToHex('11111112-2222-3333-4444-555555555555')).not.toBe(withoutHyphens('11111112-2222-3333-4444-555555555555'));
  });

  it('converts back to the same GUID', () => {
    fc.assert(
      fc.property(fc.uuid(), (guid) => {
        expect(hexToGuid(guidToHex(guid))).toBe(guid);
      }),
    );
  });

  it.each([
    '',
    '3322110055447766',
    '33221100554477668899AABBCCDDEEF',
    '33221100554477668899AABBCCDDEEFFF',
    '33221100554477668899AABBCCDDEEFG',
    '00112233-4455-6677-8899-aabbccddeeff',
  ])('is not %j', (hex) => {
    expect(hexToGuid(hex)).toBeNull();
  });
});

describe('new GUIDs', () => {
  it('sort in order of creation', () => {
    const made = Array.from({ length: 1000 }, newGuid);
    expect(made.every(isGuid)).toBe(true);
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });
});
