import { verify as verifySignature, generateKeyPairSync, sign } from 'node:crypto';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hash } from '@node-rs/argon2';

import { DomainError } from '../../../platform/common/errors/errors.js';
import { PasswordCost } from './password-cost.js';
import { PasswordHasher } from './password-hasher.js';
import { passwordSourceAt, passwordSourceOf } from './password-source.js';

const PASSWORD = 'Correct horse 1';

/** The real cost, without giving way to others: beside busy specs the thread would wait for them as well. */
class UrgentCost extends PasswordCost {
  override get niceness(): number {
    return 0;
  }
}

const cost = new UrgentCost();
let hasher: PasswordHasher;

beforeEach(() => {
  hasher = new PasswordHasher(cost);
});

afterEach(() => hasher.onApplicationShutdown());

describe('password hashes', () => {
  it('are argon2id, salted, and match their own password only', async () => {
    const [first, second] = await Promise.all([hasher.hash(passwordSourceOf('a'), PASSWORD), hasher.hash(passwordSourceOf('a'), PASSWORD)]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    expect(await hasher.matches(passwordSourceOf('a'), PASSWORD, first)).toBe(true);
    expect(await hasher.matches(passwordSourceOf('a'), 'Correct horse 2', first)).toBe(false);
    expect(await hasher.matches(passwordSourceOf('a'), '', first)).toBe(false);
  });

  it('must be replaced when they were made at another cost', async () => {
    expect(cost.differsFromThatOf(await hasher.hash(passwordSourceOf('a'), PASSWORD))).toBe(false);
    expect(cost.differsFromThatOf(await hash(PASSWORD, { memoryCost: 8192, timeCost: 1 }))).toBe(true);
  });
});

describe('many passwords at once', () => {
  it('are refused beyond nine of a tenant and beyond 33 in all, with 503', async () => {
    const outcomes = async (tenants: readonly string[]): Promise<string[]> => {
      const settled = await Promise.allSettled(tenants.map((tenant) => hasher.hash(passwordSourceOf(tenant), PASSWORD)));
      return settled.map((result) => (result.status === 'fulfilled' ? 'hashed' : (result.reason as DomainError).message));
    };
    const ofOne = await outcomes(Array.from({ length: 12 }, () => 'a'));
    expect(ofOne.filter((outcome) => outcome === 'hashed')).toHaveLength(9);
    expect(ofOne[11]).toBe('Too many passwords of one source are under way. Try again in a second.');
    const ofMany = await outcomes(Array.from({ length: 40 }, (_, index) => `tenant ${index}`));
    expect(ofMany.filter((outcome) => outcome === 'hashed')).toHaveLength(33);
    expect(ofMany[39]).toBe('Too many passwords are under way. Try again in a second.');
  });

  it('of unknown sources leave places to known ones, and one network takes half of theirs', async () => {
    const flood = (count: number, addressOf: (index: number) => string): Promise<PromiseSettledResult<string>[]> =>
      Promise.allSettled(Array.from({ length: count }, (_, index) => hasher.hash(passwordSourceAt(addressOf(index)), PASSWORD)));
    const refused = (outcomes: readonly PromiseSettledResult<string>[]): number =>
      outcomes.filter(({ status }) => status === 'rejected').length;
    expect(refused(await flood(20, (index) => `192.0.2.${index}`))).toBe(4);
    const many = flood(60, (index) => `198.51.${index}.7`);
    const known = [hasher.hash(passwordSourceAt('203.0.113.9', true), PASSWORD), hasher.hash(passwordSourceOf('tenant'), PASSWORD)];
    await expect(Promise.all(known)).resolves.toHaveLength(2);
    expect(refused(await many)).toBe(60 - 33);
  });

  it('let a password of another tenant pass after one of them', async () => {
    const done: string[] = [];
    const hashed = (tenant: string): Promise<unknown> => hasher.hash(passwordSourceOf(tenant), PASSWORD).then(() => done.push(tenant));
    await Promise.all([...Array.from({ length: 8 }, () => hashed('crowd')), hashed('other')]);
    expect(done.indexOf('other')).toBeLessThanOrEqual(2);
  });

  it('delay no verification of a signature', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const text = Buffer.from('a report');
    const signature = sign(null, text, privateKey);
    let done = 0;
    const hashes = Array.from({ length: 33 }, (_, index) =>
      hasher.hash(passwordSourceOf(`tenant ${index}`), PASSWORD).then(() => (done += 1)),
    );
    await hashes[0];
    const before = done;
    // Checked in Node's thread pool, which works in order: tasks that were queued before the signature are computed before it.
    expect(await promisify(verifySignature)(null, text, publicKey, signature)).toBe(true);
    expect(done - before).toBeLessThan(16);
    await Promise.all(hashes);
  });
});
