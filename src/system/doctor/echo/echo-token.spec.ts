import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { echoProof, makeEchoToken, readEchoToken } from './echo-token.js';

const secret = randomBytes(32);
const NOW = 1_700_000_000_000;

describe('a token of the doctor', () => {
  it('is read with its secret until it is over', () => {
    const token = makeEchoToken(secret, NOW);
    const read = readEchoToken(secret, token, NOW);
    expect(read?.until).toBeGreaterThan(NOW);
    expect(readEchoToken(secret, token, NOW + 30_000)).toEqual(read);
    expect(readEchoToken(secret, token, NOW + 30_001)).toBeNull();
    expect(readEchoToken(randomBytes(32), token, NOW)).toBeNull();
  });

  it('differs each time, and is not the proof of its answer', () => {
    const [one, other] = [makeEchoToken(secret, NOW), makeEchoToken(secret, NOW)];
    expect(one).not.toBe(other);
    expect(one).not.toContain(echoProof(secret, one));
  });

  it('is none when anything of it was changed', () => {
    const [end = '', nonce = '', mac = ''] = makeEchoToken(secret, NOW).split('.');
    for (const text of ['', 'token', `${Number(end) + 1}.${nonce}.${mac}`, `${end}.${nonce.slice(1)}A.${mac}`, `${end}.${nonce}.${mac}=`]) {
      expect(readEchoToken(secret, text, NOW)).toBeNull();
    }
  });
});
