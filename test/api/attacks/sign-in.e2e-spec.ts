import { IsNull, Not } from 'typeorm';
import { beforeAll, describe, expect, it } from 'vitest';

import { SESSION_COOKIE } from '../../../src/access/authentication/sessions/session-cookie.js';
import { Session } from '../../../src/access/authentication/sessions/session.entity.js';
import type { InviteResponseDto } from '../../../src/people/invites/invite.dto.js';
import type { LogonTokenResponseDto } from '../../../src/people/logon-tokens/logon-token.dto.js';
import { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { formatKey } from '../../../src/platform/common/identifiers/secret.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { TestApp } from '../../support/application/app.js';
import { Browser, browserOf, createPerson, openSession, PASSWORD } from '../../support/callers/browser.js';
import { detailOf } from '../../support/callers/callers.js';
import { whileWaiting } from '../../support/callers/while-waiting.js';
import { eventually } from '../../support/eventually.js';
import { createDevice, createTenant } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';

/*
 * Attacks on how people sign in, beside those of test/api/people/sign-in (lock-out, fixation, replay): from pages of other sites, by
 * comparing answers and times, through a proxy's headers, with a stolen cookie, and by floods of passwords.
 */

const MINUTE = 60_000;

const server = testServer({ Service_AppOptions__EnableInteractiveBearerLogin: 'true' }).withRealSignIns();
const tenant = testTenant(server);
const keep = stopAfterEach();
let user: User;

beforeAll(async () => {
  user = await createPerson(server, { tenantId: tenant.id });
});

describe('a page of another site', () => {
  it.each(['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'http://127.0.0.1:1'])(
    'cannot sign its visitor in or out, or prove anything: %s',
    async (origin) => {
      const headers = { origin };
      const victim = await browserOf(server, user);
      const signIn = await new Browser(server).post('/account/sign-in', { userName: user.userName, password: PASSWORD }, { headers });
      expect([signIn.status, signIn.headers.getSetCookie()]).toEqual([403, []]);
      expect((await victim.post('/account/sign-out', {}, { headers })).status).toBe(403);
      expect((await victim.post('/account/step-up', { password: PASSWORD }, { headers })).status).toBe(403);
      expect((await victim.post('/account/two-factor/disable', {}, { headers })).status).toBe(403);
      expect((await victim.get('/account/security-log')).status).toBe(200);
    },
  );

  it('cannot send a form that the service reads as JSON', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await new Browser(server).call('POST', '/account/sign-in', { body: `userName=${user.userName}`, headers: form });
    expect(answer.status).toBe(415);
  });
});

describe('the answers to sign-ins', () => {
  let addresses = 0;

  type Attempt = (userName: string, address: string) => Promise<ApiAnswer>;

  /** Milliseconds of an attempt that fails. Each name gets one, so that none is locked, and comes from an address of its own. */
  async function timeOf(attempt: Attempt, userName: string): Promise<number> {
    const started = performance.now();
    addresses += 1;
    expect((await attempt(userName, `198.51.100.${addresses}`)).status).toBe(401);
    return performance.now() - started;
  }

  it.each<[route: string, attempt: Attempt]>([
    ['/account/sign-in', (userName, address) => new Browser(server, { 'x-forwarded-for': address }).signIn({ userName }, 'Wrong-Horse-7')],
    [
      '/api/auth/change-password-with-credentials',
      (email, address) => {
        const body = { email, currentPassword: 'Wrong-Horse-7', newPassword: 'Other-Horse-8' };
        return server.client({ 'x-forwarded-for': address }).post('/api/auth/change-password-with-credentials', { body });
      },
    ],
  ])('take as long for names that nobody has as for those of users, with a password or without: %s', async (_route, attempt) => {
    const times = { known: [] as number[], withoutPassword: [] as number[], unknown: [] as number[] };
    // In turns, so that what else the machine does slows all three alike.
    for (let round = 0; round < 7; round += 1) {
      const [known, invited] = [
        await createPerson(server, { tenantId: tenant.id }),
        await createPerson(server, { tenantId: tenant.id, passwordHash: null }),
      ];
      times.known.push(await timeOf(attempt, known.userName));
      times.withoutPassword.push(await timeOf(attempt, invited.userName));
      times.unknown.push(await timeOf(attempt, `${newGuid()}@example.org`));
    }
    for (const compared of [times.withoutPassword, times.unknown]) {
      // The shortest ones, because other work only adds to a time. Refusals come in steps: one more of them is no difference that tells anything.
      const ratio = Math.min(...compared) / Math.min(...times.known);
      expect(ratio).toBeGreaterThan(0.4);
      expect(ratio).toBeLessThan(2.5);
    }
  });
});

describe('a cookie', () => {
  it('opens nothing with another secret, of another session, or in another header', async () => {
    const [, value] = (await openSession(server, user)).split('=');
    const [id, secret] = value.split(':');
    const [, other] = (await openSession(server, user)).split('=');
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await server.client(headers).get('/account/security-log')).status;
    const cookie = (text: string) => ({ cookie: `device-management-session=${text}` });
    expect(await status(cookie(`${id}:${secret}`))).toBe(200);
    for (const wrong of [`${id}:${secret}x`, `${other.split(':')[0]}:${secret}`, `${id}:`, id, `"${id}:${secret}"`, '']) {
      expect([wrong, await status(cookie(wrong))]).toEqual([wrong, 401]);
    }
    expect(await status({ 'x-personal-token': `${id}:${secret}` })).toBe(401);
    expect(await status({ 'x-api-key': `${id}:${secret}` })).toBe(401);
  });

  it('cannot be planted for a service that is reached over TLS', async () => {
    const proxied = keep(await TestApp.start({ Service_AppOptions__KnownProxies: '127.0.0.1' }));
    const person = await createPerson(proxied, { tenantId: (await createTenant(proxied)).id });
    const session = await openSession(proxied, person);
    const [, value] = session.split('=');
    const overTls = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'devices.example.org' };
    const status = async (cookie: string): Promise<number> =>
      (await proxied.client({ ...overTls, cookie }).get('/account/security-log')).status;
    expect(await status(session)).toBe(401);
    expect(await status(`__Host-device-management-session=${value}`)).toBe(200);
    const answer = await new Browser(proxied, { ...overTls, origin: 'https://devices.example.org' }).signIn(person);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-device-management-session=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
      expect.stringMatching(/^__Host-device-management-browser=.*; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000$/),
    ]);
  });

  it('of a session that ended is not brought back by the cache', async () => {
    // Browsers that do not forget it when they are told to.
    const headers = { cookie: await openSession(server, user) };
    const statuses = () =>
      Promise.all(Array.from({ length: 5 }, async () => (await new Browser(server, headers).get('/account/security-log')).status));
    expect(new Set(await statuses())).toEqual(new Set([200]));
    await server.dataSource.manager.delete(Session, { userId: user.id });
    await eventually('the session has ended', async () => (await statuses()).every((status) => status === 401));
    expect(new Set(await statuses())).toEqual(new Set([401]));
  });
});

describe('a stolen session', () => {
  it('cannot make credentials that outlive it when the proof is old', async () => {
    const thief = await browserOf(server, user);
    server.clock.advance(16 * MINUTE);
    for (const path of ['/account/two-factor/setup', '/account/two-factor/disable']) {
      expect((await thief.post(path)).body).toMatchObject({ status: 403, reason: 'StepUpRequired' });
    }
  });
});

describe('the link of a logon token', () => {
  it('leads nowhere else, whatever its query says', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    const body = { tenantId: tenant.id, deviceId: device.id, userCorrelationId: 'person' };
    const { deviceAccessUrl } = (await server.client().post('/api/v1/logon-tokens/external', { body })).as<LogonTokenResponseDto>();
    const answer = await new Browser(server).get(`${deviceAccessUrl}&returnUrl=https://evil.example&deviceId[]=x`, {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/device-access?deviceId=${device.id}`]);
  });

  it('shows nothing of what its query says', async () => {
    const text = '<script>alert(1)</script>';
    const answer = await new Browser(server).get('/device-access', { query: { deviceId: text, logonToken: text } });
    expect([answer.status, answer.text.includes('<script')]).toEqual([400, false]);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^' ]+'; base-uri 'none'/);
  });
});

describe('a flood of passwords', () => {
  it('is answered 503 with a time to wait, and holds up nobody who uses a key', async () => {
    const flood = Array.from({ length: 40 }, () => new Browser(server).signIn({ userName: `${newGuid()}@example.org` }));
    const started = performance.now();
    expect((await server.client().get('/api/v1/server-stats')).status).toBe(200);
    const keyMs = performance.now() - started;
    const answers = await Promise.all(flood);
    const floodMs = performance.now() - started;
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThanOrEqual(40 - 33);
    expect(refused[0].headers.get('retry-after')).toBe('1');
    expect(detailOf(refused[0])).toContain('Too many passwords');
    expect(keyMs).toBeLessThan(floodMs);
  });

  it('locks nobody out whose sign-ins it turns away', async () => {
    const person = await createPerson(server, { tenantId: tenant.id });
    const from = (address: string): Browser => new Browser(server, { 'x-forwarded-for': address });
    const over = new AbortController();
    const flood = Array.from({ length: 40 }, async (_, index) => {
      while (!over.signal.aborted) await from(`198.51.${index + 1}.1`).signIn({ userName: `${newGuid()}@example.org` });
    });
    // A sign-in that succeeds leaves its place to the next one.
    let place = 0;
    await eventually('a sign-in is turned away', async () => (await from(`192.0.${(place += 1)}.1`).signIn(person)).status === 503);
    over.abort();
    await Promise.all(flood);
    expect(await server.dataSource.manager.findOneBy(User, { id: person.id })).toMatchObject({ accessFailedCount: 0, lockoutEnd: null });
  });
});

describe('a sign-in with a password that is replaced at the same time', () => {
  type Attempt = (person: User) => Promise<ApiAnswer>;

  it.each<[route: string, attempt: Attempt]>([
    ['/account/sign-in', (person) => new Browser(server).signIn(person)],
    ['/api/auth/login', (person) => server.client({}).post('/api/auth/login', { body: { email: person.userName, password: PASSWORD } })],
    [
      '/api/auth/login with a cookie',
      (person) =>
        server.client({}).post('/api/auth/login', { query: { useCookies: 'true' }, body: { email: person.userName, password: PASSWORD } }),
    ],
    [
      '/api/auth/interactive-login',
      (person) => server.client({}).post('/api/auth/interactive-login', { body: { email: person.userName, password: PASSWORD } }),
    ],
  ])('opens no session: %s', async (_route, attempt) => {
    const person = await createPerson(server, { tenantId: tenant.id });
    const replacing = `UPDATE users SET password_hash = 'x', security_stamp = '${newGuid()}' WHERE id = '${person.id}'`;
    const answer = await whileWaiting(server, replacing, () => attempt(person));
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    expect(await server.dataSource.manager.countBy(Session, { userId: person.id })).toBe(0);
  });
});

describe('a first sign-in with an account that is changed right after it was made', () => {
  const open = testServer({ Service_AppOptions__EnablePublicRegistration: 'true' }).withRealSignIns();
  const home = testTenant(open);

  const accept = async (email: string): Promise<ApiAnswer> => {
    const invite = await open.client().post('/api/v1/invites', { query: { tenantId: home.id }, body: { inviteeEmail: email } });
    const { inviteUrl } = invite.as<InviteResponseDto>();
    const body = { activationCode: inviteUrl.split('/').at(-1), email, password: PASSWORD };
    return visitor().post('/api/invites/accept', body);
  };
  const register = (email: string): Promise<ApiAnswer> => visitor().post('/account/register', { email, password: PASSWORD });

  /** A browser that was signed in before: its session is looked up between the transaction that makes the account and that of the sign-in. */
  const visitor = (): Browser => new Browser(open, { cookie: `${SESSION_COOKIE}=${formatKey(newGuid(), 'secret')}` });

  it.each<[route: string, attempt: (email: string) => Promise<ApiAnswer>]>([
    ['/api/invites/accept', accept],
    ['/account/register', register],
  ])('opens no session: %s', async (_route, attempt) => {
    const email = `first-${newGuid()}@example.org`;
    const { manager } = open.dataSource;
    const made = (): Promise<User | null> => manager.findOneBy(User, { userName: email, passwordHash: Not(IsNull()) });
    const change = async (): Promise<void> => {
      await eventually('the account has its password', async () => (await made()) !== null);
      await manager.update(User, { userName: email }, { passwordHash: 'x', securityStamp: newGuid() });
    };
    const answer = await whileWaiting(open, 'LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE', () => attempt(email), change);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    expect(await manager.countBy(Session, { userId: (await made())?.id })).toBe(0);
  });
});
