import { beforeAll, describe, expect, it } from 'vitest';

import { SESSION_COOKIE } from '../../../src/access/authentication/sessions/session-cookie.js';
import { Session } from '../../../src/access/authentication/sessions/session.entity.js';
import { BROWSER_COOKIE } from '../../../src/access/authentication/visitors/browser-cookie.js';
import { SecurityEvent } from '../../../src/access/security-log/security-event.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { Browser, browserOf, createPerson, PASSWORD } from '../../support/callers/browser.js';
import { detailOf } from '../../support/callers/callers.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const server = testServer();
const tenant = testTenant(server);
let person: User;

beforeAll(async () => {
  server.clock.stop();
  person = await createPerson(server, { tenantId: tenant.id });
});

const anybody = (): Promise<User> => createPerson(server, { tenantId: tenant.id });
const sessionsOf = ({ id }: User): Promise<Session[]> => server.dataSource.manager.findBy(Session, { userId: id });
const stateOf = ({ id }: User): Promise<User> => server.dataSource.manager.findOneByOrFail(User, { id });
const kindsOf = async ({ id }: User): Promise<string[]> => {
  const events = await server.dataSource.manager.find(SecurityEvent, { where: { userId: id }, order: { id: 'ASC' } });
  return events.map(({ kind }) => kind);
};

/** Returns true if the browser is signed in. */
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get('/account/security-log')).status === 200;

describe('signing in with a password', () => {
  it('opens a session, whose cookie scripts cannot read and other sites cannot send', async () => {
    const browser = new Browser(server);
    const answer = await browser.signIn(person);
    expect([answer.status, answer.body]).toEqual([200, { outcome: 'SignedIn', mustChangePassword: false }]);
    const [cookie, ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([
      expect.stringMatching(new RegExp(`^${BROWSER_COOKIE}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000$`)),
    ]);
    expect(cookie).toMatch(new RegExp(`^${SESSION_COOKIE}=[0-9A-F]{32}:[\\w-]{86}; Path=/; HttpOnly; SameSite=Lax$`));
    expect(await isSignedIn(browser)).toBe(true);
    expect((await stateOf(person)).lastLogin).toEqual(server.clock.now());
  });

  it('works with the name in any case and with spaces around it', async () => {
    expect((await new Browser(server).signIn({ userName: ` ${person.userName.toUpperCase()} ` })).status).toBe(200);
  });

  it('keeps the cookie when the browser closes only if it should', async () => {
    const answer = await new Browser(server).signIn(person, PASSWORD, { isPersistent: true });
    expect(answer.headers.getSetCookie()[0]).toContain(`Max-Age=${90 * 24 * 60 * 60}`);
  });

  it('ends the session that the browser had, and not those of other browsers', async () => {
    const user = await anybody();
    const [browser, other] = [new Browser(server), new Browser(server)];
    await browser.signIn(user);
    await other.signIn(user);
    const [[, former]] = [...browser.cookies];
    await browser.signIn(user);
    expect([...browser.cookies.values()]).not.toEqual([former]);
    expect(await sessionsOf(user)).toHaveLength(2);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, true]);
  });

  it('takes over no cookie that a visitor brings', async () => {
    const browser = new Browser(server);
    const planted = `${'0'.repeat(32)}:${'x'.repeat(86)}`;
    browser.cookies.set(SESSION_COOKIE, planted);
    expect((await browser.signIn(person)).status).toBe(200);
    expect(browser.cookies.get(SESSION_COOKIE)).not.toBe(planted);
  });

  it('answers a wrong password and an unknown name alike', async () => {
    const answers = [
      await new Browser(server).signIn(person, 'Wrong-Horse-7'),
      await new Browser(server).signIn(person, 'x'.repeat(200)),
      await new Browser(server).signIn({ userName: 'nobody@example.org' }),
      await new Browser(server).signIn({ userName: 'no address' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(new Set(answers.map(({ text }) => text.replace(/"traceId":"[^"]*"/, ''))).size).toBe(1);
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    await new Browser(server).signIn(person);
  });

  it('refuses users without a password, and external users', async () => {
    const invited = await createPerson(server, { tenantId: tenant.id, passwordHash: null });
    expect((await new Browser(server).signIn(invited)).status).toBe(401);
  });
});

describe('too many failures', () => {
  it('lock the account for some minutes, for the right password too, and then no more', async () => {
    const user = await anybody();
    for (let attempt = 1; attempt < 5; attempt += 1) {
      expect(detailOf(await new Browser(server).signIn(user, 'Wrong-Horse-7'))).toBe('The e-mail address or the password is wrong.');
    }
    const locking = await new Browser(server).signIn(user, 'Wrong-Horse-7');
    expect([locking.status, locking.headers.get('retry-after')]).toEqual([401, '300']);
    expect(detailOf(await new Browser(server).signIn(user))).toBe('Too many attempts failed. Try again in 5 minutes.');
    server.clock.advance(5 * MINUTE);
    expect((await new Browser(server).signIn(user)).status).toBe(200);
    expect(await kindsOf(user)).toEqual([...Array.from({ length: 5 }, () => 'SignInFailed'), 'LockedOut', 'SignedIn']);
  });

  it('lock names that nobody has in the same way', async () => {
    const nobody = { userName: 'nobody.at.all@example.org' };
    const details: unknown[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) details.push(detailOf(await new Browser(server).signIn(nobody)));
    const wrong = 'The e-mail address or the password is wrong.';
    const locked = 'Too many attempts failed. Try again in 5 minutes.';
    expect(details).toEqual([wrong, wrong, wrong, wrong, locked, locked]);
    server.clock.advance(5 * MINUTE);
    expect(detailOf(await new Browser(server).signIn(nobody))).toBe(wrong);
  });

  it('are counted before their outcome is known, so that parallel attempts cannot exceed them', async () => {
    const user = await anybody();
    const answers = await Promise.all(Array.from({ length: 9 }, () => new Browser(server).signIn(user, 'Wrong-Horse-7')));
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    expect((await kindsOf(user)).filter((kind) => kind === 'SignInFailed')).toHaveLength(5);
  });

  it('are none when the password is right, however many sign-ins are under way', async () => {
    const user = await anybody();
    const answers = await Promise.all(Array.from({ length: 9 }, () => new Browser(server).signIn(user)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200));
  });

  it('are forgotten after a success', async () => {
    const user = await anybody();
    for (let round = 0; round < 2; round += 1) {
      for (let attempt = 1; attempt < 5; attempt += 1) await new Browser(server).signIn(user, 'Wrong-Horse-7');
      expect((await new Browser(server).signIn(user)).status).toBe(200);
    }
  });
});

describe('a session', () => {
  it('ends when its user signs out', async () => {
    const browser = await browserOf(server, person);
    const [[, cookie]] = [...browser.cookies];
    expect((await browser.post('/account/sign-out')).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    browser.cookies.set(SESSION_COOKIE, cookie);
    const answer = await browser.get('/account/security-log');
    expect([answer.status, detailOf(answer)]).toEqual([401, 'The session has ended. Sign in again.']);
    expect(browser.cookies.size).toBe(0);
  });

  it('ends 14 days after its last use', async () => {
    const browser = await browserOf(server, person);
    server.clock.advance(13 * DAY);
    expect(await isSignedIn(browser)).toBe(true);
    server.clock.advance(13 * DAY);
    expect(await isSignedIn(browser)).toBe(true);
    server.clock.advance(14 * DAY);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('ends 90 days after the sign-in, however much it is used', async () => {
    const browser = await browserOf(server, person);
    for (let day = 0; day < 88; day += 11) {
      server.clock.advance(11 * DAY);
      expect(await isSignedIn(browser)).toBe(true);
    }
    server.clock.advance(2 * DAY);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('ends with the stamp, the user or the tenant', async () => {
    const doomed = await createTenant(server);
    const [stamped, deleted, ofTenant] = [await anybody(), await anybody(), await createPerson(server, { tenantId: doomed.id })];
    const browsers = await Promise.all([stamped, deleted, ofTenant].map((user) => browserOf(server, user)));
    expect(await Promise.all(browsers.map(isSignedIn))).toEqual([true, true, true]);
    await server.client().post(`/api/v1/users/${stamped.id}/reset-password`, { query: { tenantId: tenant.id } });
    await server.client().delete(`/api/v1/users/${deleted.id}`, { query: { tenantId: tenant.id } });
    await server.client().delete(`/api/v1/tenants/${doomed.id}`);
    expect(await Promise.all(browsers.map(isSignedIn))).toEqual([false, false, false]);
  });

  it('can do nothing but set a new password when an administrator has reset it', async () => {
    const user = await anybody();
    const reset = await server.client().post(`/api/v1/users/${user.id}/reset-password`, { query: { tenantId: tenant.id } });
    const { temporaryPassword } = reset.as<{ temporaryPassword: string }>();
    const browser = new Browser(server);
    expect((await browser.signIn(user, temporaryPassword)).body).toEqual({ outcome: 'SignedIn', mustChangePassword: true });
    const refused = await browser.get('/api/v1/tags', { query: { tenantId: tenant.id } });
    expect([refused.status, refused.body]).toMatchObject([403, { reason: 'PasswordChangeRequired' }]);
    expect((await browser.post('/account/sign-out')).status).toBe(204);
  });
});

describe('a proof of identity', () => {
  it('counts for 15 minutes, and can be repeated', async () => {
    const browser = await browserOf(server, person);
    server.clock.advance(16 * MINUTE);
    const wrong = await browser.post('/account/step-up', { password: 'Wrong-Horse-7' });
    expect(wrong.status).toBe(401);
    const answer = await browser.post('/account/step-up', { password: PASSWORD });
    expect(answer.body).toEqual({ provenUntil: new Date(server.clock.milliseconds() + 15 * MINUTE).toISOString() });
    expect((await sessionsOf(person)).some(({ provenAt }) => provenAt.getTime() === server.clock.milliseconds())).toBe(true);
  });
});

describe('the security log', () => {
  it('shows users their own entries, newest first, page by page', async () => {
    const user = await anybody();
    const browser = new Browser(server);
    await browser.signIn(user, 'Wrong-Horse-7');
    server.clock.advance(1000);
    await browser.signIn(user);
    const { items } = (await browser.get('/account/security-log', { query: { pageSize: 1 } })).as<{ items: SecurityEvent[] }>();
    expect(items).toMatchObject([{ kind: 'SignedIn', detail: 'Password', userName: user.userName, remoteAddress: '127.0.0.1' }]);
    const next = await browser.get('/account/security-log', { query: { after: items[0].id } });
    expect(next.body).toMatchObject({ items: [{ kind: 'SignInFailed', detail: 'wrong password' }] });
  });

  it('shows administrators that of their tenant, and nothing of another', async () => {
    const [user, foreign] = [await anybody(), await createPerson(server, { tenantId: (await createTenant(server)).id })];
    await new Browser(server).signIn(user);
    await new Browser(server).signIn(foreign);
    const read = async (userId: string): Promise<unknown> =>
      (await server.client().get('/account/security-log/tenant', { query: { tenantId: tenant.id, userId } })).body;
    expect(await read(user.id)).toMatchObject({ items: [{ kind: 'SignedIn', userId: user.id }] });
    expect(await read(foreign.id)).toEqual({ items: [] });
  });
});

describe('where addresses have to be confirmed', () => {
  const strict = testServer({ Service_AppOptions__RequireUserEmailConfirmation: 'true' });
  const home = testTenant(strict);

  it('users who have not done so are told, but only with the right password', async () => {
    const user = await createPerson(strict, { tenantId: home.id, emailConfirmed: false });
    const answer = await new Browser(strict).signIn(user);
    expect(answer.body).toEqual({ outcome: 'EmailConfirmationRequired', mustChangePassword: false });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await new Browser(strict).signIn(user, 'Wrong-Horse-7')).status).toBe(401);
    expect((await new Browser(strict).signIn(await createPerson(strict, { tenantId: home.id }))).status).toBe(200);
  });
});
