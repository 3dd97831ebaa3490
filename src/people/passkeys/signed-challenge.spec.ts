import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { readChallenge, signChallenge, type ChallengeUse } from './signed-challenge.js';

const key = randomBytes(32);
const use: ChallengeUse = { purpose: 'registration', holder: 'one session' };
const now = new Date('2026-03-01T12:00:00.000Z');
const expiresAt = new Date('2026-03-01T12:05:00.000Z');
const made = (): string => signChallenge(key, use, expiresAt).toString('base64url');

describe('a signed challenge', () => {
  it('is read with its id and its end', () => {
    const challenge = made();
    const read = readChallenge(key, use, challenge, now);
    expect(read).toMatchObject({ expiresAt });
    expect(readChallenge(key, use, challenge, now)).toEqual(read);
    expect(readChallenge(key, use, made(), now)?.id).not.toBe(read?.id);
  });

  it('counts until it expires', () => {
    const challenge = made();
    expect(readChallenge(key, use, challenge, new Date(expiresAt.getTime() - 1))).not.toBeNull();
    expect(readChallenge(key, use, challenge, expiresAt)).toBeNull();
  });

  it.each<[string, ChallengeUse]>([
    ['another purpose', { ...use, purpose: 'step-up' }],
    ['another holder', { ...use, holder: 'another session' }],
    ['nobody', { ...use, holder: '' }],
  ])('is not read for %s', (_, other) => {
    expect(readChallenge(key, other, made(), now)).toBeNull();
  });

  it('is not read with another key', () => {
    expect(readChallenge(randomBytes(32), use, made(), now)).toBeNull();
  });

  it('is not read after a change of any of its bytes', () => {
    const bytes = signChallenge(key, use, expiresAt);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] ^= 1;
      expect(readChallenge(key, use, changed.toString('base64url'), now)).toBeNull();
    }
  });

  it.each(['', 'x', 'not base64url!', 'A'.repeat(72), 'A'.repeat(100_000)])('is not read from another text: %.20s', (text) => {
    expect(readChallenge(key, use, text, now)).toBeNull();
  });

  it('has one spelling', () => {
    const challenge = made();
    expect(readChallenge(key, use, `${challenge}=`, now)).toBeNull();
    expect(readChallenge(key, use, ` ${challenge}`, now)).toBeNull();
  });
});
