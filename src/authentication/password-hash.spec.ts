import { describe, expect, it } from '@jest/globals';
import { hash } from '@node-rs/argon2';

import { hashPassword, needsRehash, passwordMatches } from './password-hash.js';

describe('password hashes', () => {
  it('are argon2id, salted, and match their own password only', async () => {
    const [first, second] = await Promise.all([hashPassword('Correct horse 1'), hashPassword('Correct horse 1')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$/);
    expect(first).not.toBe(second);
    expect(await passwordMatches('Correct horse 1', first)).toBe(true);
    expect(await passwordMatches('Correct horse 2', first)).toBe(false);
    expect(await passwordMatches('', first)).toBe(false);
  });

  it('need a rehash when their cost differs from the current one', async () => {
    expect(needsRehash(await hashPassword('Correct horse 1'))).toBe(false);
    expect(needsRehash(await hash('Correct horse 1', { memoryCost: 8192, timeCost: 1 }))).toBe(true);
  });
});
