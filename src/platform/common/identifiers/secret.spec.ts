import { describe, expect, it } from 'vitest';

import { MAXIMUM_SECRET_LENGTH } from '../../config/options.js';
import { formatKey, hashSecret, newSecret, parseKey, secretMatches } from './secret.js';

const ID = '00112233-4455-6677-8899-aabbccddeeff';
const HEX = '33221100554477668899AABBCCDDEEFF';

describe('keys', () => {
  it('consist of the hexadecimal id and the secret', () => {
    expect(formatKey(ID, 'secret')).toBe(`${HEX}:secret`);
  });

  it.each([
    [`${HEX}:secret`, 'secret'],
    [`${HEX.toLowerCase()}:secret`, 'secret'],
    [`${HEX}:s`, 's'],
    [`${HEX}:with:colons: and spaces`, 'with:colons: and spaces'],
    [`${HEX}::`, ':'],
    [`${HEX}:${'x'.repeat(MAXIMUM_SECRET_LENGTH)}`, 'x'.repeat(MAXIMUM_SECRET_LENGTH)],
  ])('of the form %s are read', (key, secret) => {
    expect(parseKey(key)).toEqual({ credentialId: ID, secret });
  });

  it.each([
    '',
    ':',
    'secret',
    HEX,
    `${HEX}:`,
    `:${HEX}`,
    `${HEX} secret`,
    ` ${HEX}:secret`,
    `${HEX.slice(1)}:secret`,
    `0${HEX}:secret`,
    `${HEX.slice(1)}G:secret`,
    `${ID}:secret`,
    `${HEX}:${'x'.repeat(MAXIMUM_SECRET_LENGTH + 1)}`,
  ])('of the form %j are malformed', (key) => {
    expect(parseKey(key)).toBeNull();
  });

  it('can be parsed after they were formatted', () => {
    const secret = newSecret();
    expect(parseKey(formatKey(ID, secret))).toEqual({ credentialId: ID, secret });
  });
});

describe('secrets', () => {
  it('are never generated twice', () => {
    expect(new Set(Array.from({ length: 1000 }, newSecret)).size).toBe(1000);
  });

  it('match their own hash, and no other', () => {
    expect(secretMatches('secret', hashSecret('secret'))).toBe(true);
    expect(secretMatches('Secret', hashSecret('secret'))).toBe(false);
    expect(secretMatches('', hashSecret('secret'))).toBe(false);
    expect(secretMatches('secret', Buffer.alloc(32))).toBe(false);
    expect(secretMatches('secret', hashSecret('secret').subarray(0, 16))).toBe(false);
  });
});
