import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { BROWSER_COOKIE } from '../../../src/access/authentication/visitors/browser-cookie.js';
import type { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { Browser, createPerson } from '../../support/callers/browser.js';
import { detailOf } from '../../support/callers/callers.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

/*
 * An attacker who knows a name can guess at its password, and so lock its owner out, or keep everybody's sign-in waiting. Neither reaches
 * users who are signed in, use a browser in which they signed in before, or come from an address of an earlier sign-in.
 */

const WRONG = 'Wrong-Horse-7';
const LIMIT = 5;
const LOCKED = 'Too many attempts failed. Try again in 5 minutes.';

/** A browser at an address, behind a proxy of this machine. */
const at = (server: Parameters<typeof createPerson>[0], address: string): Browser => new Browser(server, { 'x-forwarded-for': address });

describe('guesses of others', () => {
  const server = testServer();
  const tenant = testTenant(server);
  let user: User;

  beforeAll(() => server.clock.stop());
  beforeEach(async () => {
    user = await createPerson(server, { tenantId: tenant.id });
    server.clock.advance(60_000);
  });

  /** Guesses at a name until the address is locked. */
  async function guessFrom(address: string, name: Pick<User, 'userName'>): Promise<unknown[]> {
    const details: unknown[] = [];
    for (let attempt = 0; attempt < LIMIT; attempt += 1) details.push(detailOf(await at(server, address).signIn(name, WRONG)));
    return details;
  }

  it('lock the address that they come from, and no other', async () => {
    expect((await guessFrom('192.0.2.1', user)).at(-1)).toBe(LOCKED);
    expect(detailOf(await at(server, '192.0.2.1').signIn(user))).toBe(LOCKED);
    expect((await at(server, '192.0.2.2').signIn(user)).status).toBe(200);
  });

  it('lock the account for unknown browsers when they come from many addresses, and not for its owner', async () => {
    const owner = at(server, '203.0.113.7');
    expect((await owner.signIn(user)).status).toBe(200);
    for (let network = 0; network < 10; network += 1) await guessFrom(`198.51.${network}.1`, user);
    expect(detailOf(await at(server, '192.0.2.99').signIn(user))).toBe(LOCKED);
    expect((await owner.post('/account/step-up', { password: 'Correct-Horse-7' })).status).toBeLessThan(300);
    await owner.post('/account/sign-out');
    const moved = at(server, '192.0.2.50');
    moved.cookies.set(BROWSER_COOKIE, owner.cookies.get(BROWSER_COOKIE) ?? '');
    expect((await moved.signIn(user)).status).toBe(200);
  });

  it('in a browser of its owner are counted for that browser', async () => {
    const owner = at(server, '203.0.113.8');
    await owner.signIn(user);
    for (let attempt = 0; attempt < LIMIT; attempt += 1) await owner.signIn(user, WRONG);
    expect(detailOf(await owner.signIn(user))).toBe(LOCKED);
    expect((await at(server, '203.0.113.9').signIn(user)).status).toBe(200);
  });

  it('with the cookie of another user count as those of anybody', async () => {
    const other = at(server, '203.0.113.10');
    await other.signIn(await createPerson(server, { tenantId: tenant.id }));
    for (let attempt = 0; attempt < LIMIT; attempt += 1) await other.signIn(user, WRONG);
    expect(detailOf(await at(server, '203.0.113.10').signIn(user))).toBe(LOCKED);
  });

  it('are answered alike for a name that nobody has', async () => {
    const nobody = { userName: `${newGuid()}@example.org` };
    for (const name of [user, nobody]) {
      const details: unknown[] = [];
      for (let network = 0; network < 10; network += 1) details.push(...(await guessFrom(`198.51.${network}.2`, name)));
      details.push(detailOf(await at(server, '192.0.2.98').signIn(name, WRONG)));
      const ofAddress = ['The e-mail address or the password is wrong.', LOCKED].flatMap((detail, index) =>
        Array(index === 0 ? 4 : 1).fill(detail),
      );
      expect(details).toEqual([...Array.from({ length: 10 }, () => ofAddress).flat(), LOCKED]);
    }
  });
});

describe('a flood of guesses from 60 networks', () => {
  const server = testServer().withRealSignIns();

  it('leaves sign-ins from addresses of earlier sign-ins, within two seconds', async () => {
    const { id: tenantId } = await createTenant(server);
    const people = await Promise.all(Array.from({ length: 20 }, () => createPerson(server, { tenantId })));
    const addressOf = (index: number): string => `203.0.${index}.5`;
    /** Returns the median time of a sign-in, in milliseconds. */
    const typical = async (): Promise<number> => {
      const times: number[] = [];
      for (const [index, person] of people.entries()) {
        const begun = performance.now();
        expect((await at(server, addressOf(index)).signIn(person)).status).toBe(200);
        times.push(performance.now() - begun);
      }
      return times.toSorted((a, b) => a - b)[times.length / 2];
    };
    const quiet = await typical();
    const over = new AbortController();
    const flood = Array.from({ length: 60 }, async (_, network) => {
      while (!over.signal.aborted) await at(server, `198.18.${network}.1`).signIn({ userName: `${newGuid()}@example.org` }, WRONG);
    });
    try {
      // On a machine on which a sign-in takes long by itself, two seconds are no measure.
      expect(await typical()).toBeLessThan(Math.max(2_000, 10 * quiet));
    } finally {
      over.abort();
      await Promise.all(flood);
    }
  });
});
