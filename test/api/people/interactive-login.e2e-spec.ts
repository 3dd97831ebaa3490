import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { SESSION_COOKIE } from '../../../src/access/authentication/sessions/session-cookie.js';
import { Session } from '../../../src/access/authentication/sessions/session.entity.js';
import { Sessions } from '../../../src/access/authentication/sessions/sessions.js';
import { BROWSER_COOKIE } from '../../../src/access/authentication/visitors/browser-cookie.js';
import { Permission, PermissionPrincipalKind } from '../../../src/access/authorization/permissions/permission.js';
import { SecurityEvent } from '../../../src/access/security-log/security-event.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { hexToGuid, newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { TestViewer } from '../../hubs/viewer-client.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { authenticatorCode } from '../../support/callers/authenticator-app.js';
import { Browser, browserOf, createPerson, PASSWORD } from '../../support/callers/browser.js';
import { detailOf, statusesOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { eventually } from '../../support/eventually.js';
import { at, grant } from '../../support/fixtures/factories.js';
import { testServerWithMail } from '../../support/setup/mailed.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** In seconds. */
  readonly expiresIn: number;
}

const NEW_PASSWORD = 'Other-Horse-8';
const WRONG_PASSWORD = 'Wrong-Horse-7';
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const NOBODY = 'nobody.at.all@example.org';

const { server, codeTo, settled, forgetMails } = testServerWithMail({
  Service_AppOptions__EnableInteractiveBearerLogin: 'true',
  Service_AppOptions__EnablePublicRegistration: 'true',
  Service_AppOptions__RequireUserEmailConfirmation: 'true',
});
const tenant = testTenant(server);

beforeAll(() => server.clock.stop());
beforeEach(async () => {
  await forgetMails();
  // Each test has rate limits of its own.
  server.clock.advance(MINUTE);
});

const anybody = (values: Partial<User> = {}): Promise<User> => createPerson(server, { tenantId: tenant.id, ...values });
const stateOf = ({ id }: User): Promise<User> => server.dataSource.manager.findOneByOrFail(User, { id });
const call = (path: string, body: object, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  server.client(headers).post(`/api/auth/${path}`, { body });
const me = (headers: Record<string, string>): Promise<ApiAnswer> => server.client(headers).get('/api/auth/me');
const bearer = (accessToken: string): Record<string, string> => ({ authorization: `Bearer ${accessToken}` });
const interactive = (email: string, password = PASSWORD, more: object = {}): Promise<ApiAnswer> =>
  call('interactive-login', { email, password, ...more });
const login = (email: string, password = PASSWORD, more: object = {}): Promise<ApiAnswer> => call('login', { email, password, ...more });
const tokensOf = async (user: User): Promise<Tokens> => (await login(user.userName)).as<Tokens>();
const refresh = (refreshToken: string): Promise<ApiAnswer> => call('refresh', { refreshToken });
const sessionsOf = ({ id }: User): Promise<Session[]> => server.dataSource.manager.findBy(Session, { userId: id });
const kindsOf = async ({ id }: User): Promise<string[]> => {
  const events = await server.dataSource.manager.find(SecurityEvent, { where: { userId: id }, order: { id: 'ASC' } });
  return events.map(({ kind }) => kind);
};

/** The code that an authenticator app with the key shows now. */
const codeOf = (sharedKey: string): string => authenticatorCode(sharedKey, server.clock.milliseconds());

/** Switches two-factor sign-in on, and returns the key of the app and the recovery codes. */
async function withTwoFactor(user: User): Promise<{ readonly sharedKey: string; readonly recoveryCodes: readonly string[] }> {
  const headers = bearer((await tokensOf(user)).accessToken);
  const { sharedKey } = (await call('manage/2fa', {}, headers)).as<{ sharedKey: string }>();
  const answer = await call('manage/2fa', { enable: true, twoFactorCode: codeOf(sharedKey) }, headers);
  const { recoveryCodes } = answer.as<{ recoveryCodes: readonly string[] }>();
  // A code works once: the next one is another.
  server.clock.advance(MINUTE);
  return { sharedKey, recoveryCodes };
}

describe('reading the calling user', () => {
  it('answers the user record, whatever the credential', async () => {
    const user = await anybody({ requirePasswordChange: true });
    const { id, userName, email, createdAt } = await stateOf(user);
    const answer = await (await browserOf(server, user)).get('/api/auth/me');
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id,
        userName,
        email,
        createdAt: createdAt.toISOString(),
        isOnline: false,
        requirePasswordChange: true,
        twoFactorEnabled: false,
        emailConfirmed: true,
        tenantId: tenant.id,
      },
    ]);
    expect((await me({})).status).toBe(401);
  });
});

describe('changing the own password', () => {
  const change = (browser: Browser, currentPassword: string, newPassword: string): Promise<ApiAnswer> =>
    browser.post('/api/auth/change-password', { currentPassword, newPassword });

  it('keeps this session, ends the others, and is open to users who must do it', async () => {
    const user = await anybody({ requirePasswordChange: true });
    const [browser, other] = [await browserOf(server, user), await browserOf(server, user)];
    const answer = await change(browser, PASSWORD, NEW_PASSWORD);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect([(await browser.get('/account/security-log')).status, (await other.get('/account/security-log')).status]).toEqual([200, 401]);
    expect((await stateOf(user)).requirePasswordChange).toBe(false);
  });

  it('keeps the bearer session in which it happens, and ends the others', async () => {
    const user = await anybody();
    const [tokens, others] = [await tokensOf(user), await tokensOf(user)];
    const answer = await call('change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }, bearer(tokens.accessToken));
    expect(answer.status).toBe(200);
    expect([(await me(bearer(tokens.accessToken))).status, (await me(bearer(others.accessToken))).status]).toEqual([200, 401]);
    expect([(await refresh(others.refreshToken)).status, (await refresh(tokens.refreshToken)).status]).toEqual([401, 200]);
  });

  it('says in plain text what is wrong', async () => {
    const browser = await browserOf(server, await anybody());
    const answers = [
      await change(browser, WRONG_PASSWORD, NEW_PASSWORD),
      await change(browser, PASSWORD, 'short'),
      await server.client().post('/api/auth/change-password', { body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD } }),
    ];
    expect(statusesOf(answers)).toEqual([400, 400, 400]);
    for (const { headers } of answers) expect(headers.get('content-type')).toContain('text/plain');
    expect(answers[0].text).toBe('The password is wrong.');
    expect(answers[1].text).toContain('at least 8 characters');
    expect(answers[2].text).toContain('no user record');
  });
});

describe('changing a password with credentials', () => {
  const change = (email: string, currentPassword = PASSWORD, more: object = {}): Promise<ApiAnswer> =>
    call('change-password-with-credentials', { email, currentPassword, newPassword: NEW_PASSWORD, ...more });

  it('sets the password, ends all sessions, and ends the demand for it', async () => {
    const user = await anybody({ requirePasswordChange: true });
    const browser = await browserOf(server, user);
    const answer = await change(user.userName);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await browser.get('/account/security-log')).status).toBe(401);
    expect((await stateOf(user)).requirePasswordChange).toBe(false);
    expect((await new Browser(server).signIn(user, NEW_PASSWORD)).status).toBe(200);
  });

  it('does not take the temporary password for a new one', async () => {
    const user = await anybody({ requirePasswordChange: true });
    const body = { email: user.userName, currentPassword: PASSWORD, newPassword: PASSWORD };
    const answer = await call('change-password-with-credentials', body);
    expect([answer.status, answer.text]).toEqual([400, 'The new password must differ from the current one.']);
    expect((await stateOf(user)).requirePasswordChange).toBe(true);
  });

  it('answers 401 alike for unknown addresses and wrong passwords, which count, until the account is locked', async () => {
    const user = await anybody();
    const wrong: ApiAnswer[] = [];
    const unknown: ApiAnswer[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      wrong.push(await change(user.userName, WRONG_PASSWORD));
      unknown.push(await change('nobody.with.credentials@example.org'));
    }
    expect(statusesOf(wrong)).toEqual(Array.from({ length: 6 }, () => 401));
    expect(unknown.map(({ text }) => text)).toEqual(wrong.map(({ text }) => text));
    expect((await change(user.userName)).status).toBe(401);
  });

  it('asks for the code of the app, in plain text', async () => {
    const user = await anybody();
    const { sharedKey } = await withTwoFactor(user);
    const [missing, wrong] = [await change(user.userName), await change(user.userName, PASSWORD, { twoFactorCode: '000 00x' })];
    expect([missing.status, missing.text]).toEqual([400, 'The code from the authenticator app is required.']);
    expect([wrong.status, wrong.text]).toEqual([400, 'The code from the authenticator app is wrong.']);
    expect((await stateOf(user)).accessFailedCount).toBe(1);
    const typed = codeOf(sharedKey).replace(/^(...)/, '$1-');
    expect((await change(user.userName, PASSWORD, { twoFactorCode: typed })).status).toBe(200);
  });

  it('names wrong fields in Problem Details, and blank ones and weak passwords in plain text', async () => {
    const user = await anybody();
    const short = await change(user.userName, PASSWORD, { newPassword: 'short' });
    expect([short.status, wrongFieldsOf(short)]).toEqual([400, ['newPassword']]);
    const blank = await change('  ');
    expect([blank.status, blank.text]).toEqual([400, 'email must not be blank.']);
    const weak = await change(user.userName, PASSWORD, { newPassword: 'all-lower-case' });
    expect([weak.status, weak.headers.get('content-type')]).toEqual([400, expect.stringContaining('text/plain')]);
  });
});

describe('completing a password reset', () => {
  const complete = (email: string, resetCode: string, newPassword = NEW_PASSWORD): Promise<ApiAnswer> =>
    call('complete-password-reset', { email, resetCode, newPassword });

  it('sets the password with the mailed code, plain or as base64url, once', async () => {
    for (const encode of [(code: string) => code, (code: string) => Buffer.from(code).toString('base64url')]) {
      const user = await anybody({ requirePasswordChange: true });
      expect((await call('forgotPassword', { email: user.userName })).status).toBe(200);
      const code = encode(await codeTo(user.userName));
      const answer = await complete(user.userName, code);
      expect([answer.status, answer.text]).toEqual([200, '']);
      expect((await stateOf(user)).requirePasswordChange).toBe(false);
      expect((await complete(user.userName, code)).status).toBe(400);
      expect((await login(user.userName, NEW_PASSWORD)).status).toBe(200);
    }
  });

  it('answers 200 to an address that nobody has, and in plain text to a wrong code', async () => {
    expect((await complete(NOBODY, 'any code')).status).toBe(200);
    const answer = await complete((await anybody()).userName, 'any code');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, expect.stringContaining('text/plain')]);
  });
});

describe('signing in for bearer tokens', () => {
  it('gives tokens that act as the user', async () => {
    const user = await anybody();
    const answer = await interactive(user.userName);
    expect(answer.body).toEqual({
      requiresTwoFactor: false,
      isLockedOut: false,
      requiresPasswordChange: false,
      tokens: { tokenType: 'Bearer', accessToken: expect.any(String), expiresInSeconds: 3600, refreshToken: expect.any(String) },
    });
    const { tokens } = answer.as<{ tokens: Tokens }>();
    expect((await me(bearer(tokens.accessToken))).body).toMatchObject({ id: user.id });
    expect((await stateOf(user)).lastLogin).toEqual(server.clock.now());
    expect(await kindsOf(user)).toEqual(['SignedIn']);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('says that the account is locked from the failure on that locks it, for unknown names too', async () => {
    const user = await anybody();
    for (const email of [user.userName, 'nobody.to.lock@example.org']) {
      const answers: ApiAnswer[] = [];
      for (let attempt = 1; attempt <= 6; attempt += 1) answers.push(await interactive(email, WRONG_PASSWORD));
      expect(statusesOf(answers)).toEqual([200, 200, 401, 401, 401, 401]);
      expect(answers.slice(4).map(({ body }) => body)).toEqual(
        Array.from({ length: 2 }, () => ({ requiresTwoFactor: false, isLockedOut: true, requiresPasswordChange: false, tokens: null })),
      );
      server.clock.advance(MINUTE);
    }
    expect((await interactive(user.userName)).body).toMatchObject({ isLockedOut: true, tokens: null });
    server.clock.advance(5 * MINUTE);
    expect((await interactive(user.userName)).body).toMatchObject({ isLockedOut: false, tokens: {} });
  });

  it('gives no tokens to users who must change the password or confirm the address', async () => {
    const mustChange = await interactive((await anybody({ requirePasswordChange: true })).userName);
    expect(mustChange.body).toMatchObject({ requiresPasswordChange: true, tokens: null });
    const unconfirmed = await interactive((await anybody({ emailConfirmed: false })).userName);
    expect([unconfirmed.status, detailOf(unconfirmed)]).toEqual([401, 'The e-mail address has to be confirmed first.']);
  });

  it('asks for a code, and prefers the recovery code', async () => {
    const user = await anybody();
    const { sharedKey, recoveryCodes } = await withTwoFactor(user);
    expect((await interactive(user.userName)).body).toMatchObject({ requiresTwoFactor: true, tokens: null });
    const code = { twoFactorCode: codeOf(sharedKey) };
    expect((await interactive(user.userName, PASSWORD, { ...code, twoFactorRecoveryCode: 'none' })).status).toBe(401);
    expect((await interactive(user.userName, PASSWORD, code)).body).toMatchObject({ tokens: {} });
    const recovery = { twoFactorCode: '000000', twoFactorRecoveryCode: recoveryCodes[0] };
    expect((await interactive(user.userName, PASSWORD, recovery)).body).toMatchObject({ tokens: {} });
    expect((await interactive(user.userName, PASSWORD, recovery)).status).toBe(401);
  });
});

describe('bearer tokens', () => {
  it('are offered to who has no credential', async () => {
    expect((await me({})).headers.get('www-authenticate')).toMatch(/^ApiKey .*, Bearer realm="device-management"$/);
  });

  it('end after an hour, and the refresh token after 30 days', async () => {
    const user = await anybody();
    const tokens = await tokensOf(user);
    server.clock.advance(60 * MINUTE - 1);
    expect((await me(bearer(tokens.accessToken))).status).toBe(200);
    server.clock.advance(1);
    const expired = await me(bearer(tokens.accessToken));
    expect([expired.status, detailOf(expired)]).toEqual([401, 'The bearer token is not valid.']);
    server.clock.advance(30 * DAY - 60 * MINUTE);
    expect((await refresh(tokens.refreshToken)).status).toBe(401);
  });

  it('are exchanged for new ones, and the access token lives until it expires', async () => {
    const user = await anybody();
    const first = await tokensOf(user);
    server.clock.advance(40 * MINUTE);
    const second = (await refresh(first.refreshToken)).as<Tokens>();
    expect(second).toEqual({ tokenType: 'Bearer', accessToken: expect.any(String), expiresIn: 3600, refreshToken: expect.any(String) });
    server.clock.advance(19 * MINUTE);
    const third = (await refresh(second.refreshToken)).as<Tokens>();
    const statuses = async (): Promise<number[]> =>
      Promise.all([first, second, third].map(async ({ accessToken }) => (await me(bearer(accessToken))).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    server.clock.advance(MINUTE);
    expect(await statuses()).toEqual([401, 200, 200]);
    await call('logout', {}, bearer(second.accessToken));
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  it('go on when a refresh token is used again within 30 seconds, also after the next one was', async () => {
    const first = await tokensOf(await anybody());
    const second = (await refresh(first.refreshToken)).as<Tokens>();
    const third = (await refresh(second.refreshToken)).as<Tokens>();
    server.clock.advance(29 * SECOND);
    const again = (await refresh(first.refreshToken)).as<Tokens>();
    expect([again.refreshToken, again.expiresIn]).toEqual([second.refreshToken, 3600]);
    expect((await refresh(again.refreshToken)).as<Tokens>().refreshToken).toBe(third.refreshToken);
    const answers = [await me(bearer(again.accessToken)), await me(bearer(third.accessToken)), await refresh(third.refreshToken)];
    expect(statusesOf(answers)).toEqual([200, 200, 200]);
  });

  it('all end when a former refresh token is used later', async () => {
    const user = await anybody();
    const first = await tokensOf(user);
    const second = (await refresh(first.refreshToken)).as<Tokens>();
    // Another use does not make it last longer.
    server.clock.advance(20 * SECOND);
    expect((await refresh(first.refreshToken)).status).toBe(200);
    server.clock.advance(10 * SECOND);
    const replayed = await refresh(first.refreshToken);
    expect(replayed).toMatchObject({ status: 401, body: { title: 'Unauthorized.' } });
    expect([(await me(bearer(second.accessToken))).status, (await refresh(second.refreshToken)).status]).toEqual([401, 401]);
    expect(await sessionsOf(user)).toEqual([]);
    expect(await kindsOf(user)).toEqual(['SignedIn', 'SessionEnded']);
  });

  it('are refreshed alike by several calls at the same time', async () => {
    const { refreshToken } = await tokensOf(await anybody());
    const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(refreshToken)));
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.as<Tokens>().refreshToken)).size).toBe(1);
    const uses = await Promise.all(answers.map((answer) => me(bearer(answer.as<Tokens>().accessToken))));
    expect(statusesOf(uses)).toEqual([200, 200, 200, 200]);
  });

  it('of which the last hundred and one count, when a program refreshes without end', async () => {
    let tokens = await tokensOf(await anybody());
    const made = [tokens];
    for (let round = 0; round < 102; round += 1) {
      server.clock.advance(1);
      tokens = (await refresh(tokens.refreshToken)).as<Tokens>();
      made.push(tokens);
    }
    const statuses = [made[1], made[2], made[102]].map(async ({ accessToken }) => (await me(bearer(accessToken))).status);
    expect(await Promise.all(statuses)).toEqual([401, 200, 200]);
  });

  it('change how their user signs in only for a while after the sign-in, refreshed or not', async () => {
    const user = await anybody();
    const first = await tokensOf(user);
    server.clock.advance(15 * MINUTE);
    expect((await server.client(bearer(first.accessToken)).post('/account/two-factor/setup', {})).status).toBe(200);
    const { accessToken } = (await refresh(first.refreshToken)).as<Tokens>();
    server.clock.advance(1);
    const client = server.client(bearer(accessToken));
    const refused = [
      await client.post('/account/two-factor/setup', {}),
      await client.post('/account/password', { body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD } }),
      await client.post('/account/sessions/end-others', {}),
      await client.delete(`/account/sessions/${newGuid()}`),
      await client.put(`/account/passkeys/${newGuid()}`, { body: { name: 'Laptop' } }),
      await client.delete('/account'),
      await call('manage/2fa', {}, bearer(accessToken)),
    ];
    for (const { status, body } of refused) expect([status, body]).toMatchObject([403, { reason: 'StepUpRequired' }]);
    expect(detailOf(refused[0])).toBe('The sign-in that the bearer token comes from is too old for this. Sign in again.');
    expect((await client.get('/account/sessions')).status).toBe(200);
  });

  it('make tokens that do not outlive them once the sign-in is old', async () => {
    const user = await anybody();
    const principal = { kind: PermissionPrincipalKind.User, id: user.id };
    await grant(server, { principal, permission: Permission.PersonalAccessTokenSelfWrite, scope: at.tenant(tenant) });
    const { accessToken } = await tokensOf(user);
    const client = server.client(bearer(accessToken));
    const ends = server.clock.milliseconds() + 30 * DAY;
    const create = async (name: string, expiresAt: Date | null): Promise<string | null> => {
      const body = { name, permissionMode: 'InheritOwner', expiresAt };
      const answer = await client.post('/api/v1/personal-access-tokens', { query: { tenantId: tenant.id }, body });
      expect(answer.status).toBe(201);
      return answer.as<{ personalAccessToken: { expiresAt: string | null } }>().personalAccessToken.expiresAt;
    };
    expect(await create('fresh', null)).toBeNull();
    server.clock.advance(16 * MINUTE);
    expect(await create('late', null)).toBe(new Date(ends).toISOString());
    expect(await create('later', new Date(ends + DAY))).toBe(new Date(ends).toISOString());
    expect(await create('short', new Date(ends - DAY))).toBe(new Date(ends - DAY).toISOString());
  });

  it('do not end by guesses of a caller who knows only an access token', async () => {
    const { accessToken } = await tokensOf(await anybody());
    const [id, secret] = accessToken.split('.');
    for (const guess of [`${id}.${secret}.${secret}`, accessToken, `${id}..`, id, '', 'x'.repeat(290)]) {
      expect(await refresh(guess)).toMatchObject({ status: 401, body: { type: 'about:blank', title: 'Unauthorized.', status: 401 } });
    }
    expect((await me(bearer(accessToken))).status).toBe(200);
  });

  it('are refused when they are no access tokens', async () => {
    const { accessToken, refreshToken } = await tokensOf(await anybody());
    for (const token of [refreshToken, `${accessToken}x`, accessToken.replace('.', ':'), 'x', '']) {
      expect((await me({ authorization: `Bearer ${token}` })).status).toBe(401);
    }
    expect((await me({ authorization: `bearer ${accessToken}`, 'x-api-key': 'malformed' })).status).toBe(200);
  });

  it.each<[string, (user: User, tokens: Tokens) => Promise<unknown>]>([
    [
      'sets a new password',
      (user) => call('change-password-with-credentials', { email: user.userName, currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
    ],
    [
      'is given a new password',
      (user) => server.client().post(`/api/v1/users/${user.id}/reset-password`, { query: { tenantId: tenant.id } }),
    ],
    ['signs out', (_, { accessToken }) => call('logout', {}, bearer(accessToken))],
    ['is deleted', (user) => server.client().delete(`/api/v1/users/${user.id}`, { query: { tenantId: tenant.id } })],
  ])('end, with their hub connection, when the user %s', async (_, end) => {
    const user = await anybody();
    const tokens = await tokensOf(user);
    const viewer = server.alsoStop(await TestViewer.connect(server, bearer(tokens.accessToken)));
    await eventually('the user is online', async () => (await me(bearer(tokens.accessToken))).as<{ isOnline: boolean }>().isOnline);
    await end(user, tokens);
    await eventually('the connection has ended', () => viewer.isClosed);
    expect([(await me(bearer(tokens.accessToken))).status, (await refresh(tokens.refreshToken)).status]).toEqual([401, 401]);
  });

  it('are listed among the sessions of their user, who ends them from a browser', async () => {
    const user = await anybody();
    const [browser, tokens, others] = [await browserOf(server, user), await tokensOf(user), await tokensOf(user)];
    const listed = async (): Promise<{ id: string; method: string; isCurrent: boolean }[]> =>
      (await browser.get('/account/sessions')).as<{ items: { id: string; method: string; isCurrent: boolean }[] }>().items;
    const items = await listed();
    expect(items.map(({ method, isCurrent }) => `${method} ${isCurrent}`).sort()).toEqual([
      'Bearer false',
      'Bearer false',
      'Password true',
    ]);
    const id = hexToGuid(tokens.accessToken.split('.')[0]);
    expect((await browser.delete(`/account/sessions/${id}`)).status).toBe(204);
    expect([(await me(bearer(tokens.accessToken))).status, (await refresh(tokens.refreshToken)).status]).toEqual([401, 401]);
    const own = await server.client(bearer(others.accessToken)).get('/account/sessions');
    expect(own.as<{ items: { method: string; isCurrent: boolean }[] }>().items).toContainEqual(
      expect.objectContaining({ method: 'Bearer', isCurrent: true }),
    );
    expect((await browser.post('/account/sessions/end-others')).body).toEqual({ count: 1 });
    expect((await me(bearer(others.accessToken))).status).toBe(401);
  });

  it('do not end by disuse before the refresh token does', async () => {
    const user = await anybody();
    const tokens = await tokensOf(user);
    server.clock.advance(29 * DAY);
    const browser = await browserOf(server, user);
    expect((await browser.get('/account/sessions')).as<{ items: object[] }>().items).toHaveLength(2);
    await server.app.get(Sessions).removeEnded(server.dataSource.manager, new AbortController().signal);
    expect((await refresh(tokens.refreshToken)).status).toBe(200);
  });

  it('are not proved again, which counts as no failure', async () => {
    const user = await anybody();
    const { accessToken } = await tokensOf(user);
    const client = server.client(bearer(accessToken));
    for (let attempt = 0; attempt < 6; attempt += 1) {
      expect((await client.post('/account/step-up', { body: { password: WRONG_PASSWORD } })).status).toBe(403);
    }
    expect((await stateOf(user)).accessFailedCount).toBe(0);
  });

  it('are no cookies, and the cookie of a browser is no token', async () => {
    const user = await anybody();
    const [id, secret] = (await tokensOf(user)).accessToken.split('.');
    const browser = new Browser(server);
    browser.cookies.set(SESSION_COOKIE, `${id}:${secret}`);
    expect((await browser.get('/account/sessions')).status).toBe(401);
    const cookie = (await browserOf(server, user)).cookies.get(SESSION_COOKIE) ?? '';
    expect((await me(bearer(cookie.replace(':', '.')))).status).toBe(401);
    expect((await refresh(`${cookie.replace(':', '.')}.x`)).status).toBe(401);
  });

  it('leave a hub connection open when they are refreshed', async () => {
    const tokens = await tokensOf(await anybody());
    const viewer = server.alsoStop(await TestViewer.connect(server, bearer(tokens.accessToken)));
    const renewed = (await refresh(tokens.refreshToken)).as<Tokens>();
    const another = await tokensOf(await anybody());
    const other = server.alsoStop(await TestViewer.connect(server, bearer(another.accessToken)));
    await call('logout', {}, bearer(another.accessToken));
    // Connections to end have been looked at when the other one has ended.
    await eventually('the other connection has ended', () => other.isClosed);
    expect(viewer.isClosed).toBe(false);
    expect((await me(bearer(renewed.accessToken))).status).toBe(200);
  });

  it('leave no rows behind when they have ended', async () => {
    const [ended, open] = [await anybody(), await anybody()];
    await tokensOf(ended);
    server.clock.advance(30 * DAY + 1);
    await tokensOf(open);
    await server.app.get(Sessions).removeEnded(server.dataSource.manager, new AbortController().signal);
    expect([await sessionsOf(ended), await sessionsOf(open)]).toEqual([[], [expect.any(Session)]]);
  });

  it('are stored as hashes only', async () => {
    const user = await anybody();
    const { accessToken, refreshToken } = await tokensOf(user);
    const [row] = await server.dataSource.query<{ text: string }[]>('SELECT s::text AS text FROM sessions s WHERE user_id = $1', [user.id]);
    const secrets = [...accessToken.split('.').slice(1), ...refreshToken.split('.').slice(1)];
    for (const secret of secrets) expect(row.text).not.toContain(Buffer.from(secret).toString('hex'));
    for (const secret of secrets) expect(row.text).not.toContain(secret);
  });
});

describe('the identity routes', () => {
  it('sign in for a cookie where that is asked for', async () => {
    const user = await anybody();
    for (const [query, maximumAge] of [
      ['useCookies=true', true],
      ['useSessionCookies=true', false],
    ] as const) {
      const browser = new Browser(server);
      const answer = await browser.post(`/api/auth/login?${query}`, { email: user.userName, password: PASSWORD });
      expect([answer.status, answer.text]).toEqual([200, '']);
      expect(answer.headers.getSetCookie()[0].includes('Max-Age')).toBe(maximumAge);
      expect((await browser.get('/api/auth/me')).status).toBe(200);
      expect((await browser.post('/api/auth/logout')).status).toBe(204);
      expect([...browser.cookies.keys()]).toEqual([BROWSER_COOKIE]);
    }
  });

  it('say in `detail` why a sign-in is refused', async () => {
    const user = await anybody();
    await withTwoFactor(user);
    const unconfirmed = await anybody({ emailConfirmed: false });
    const answers = [await login(NOBODY), await login(user.userName), await login(unconfirmed.userName)];
    expect(statusesOf(answers)).toEqual([401, 401, 401]);
    expect(answers.map(detailOf)).toEqual(['Failed', 'RequiresTwoFactor', 'NotAllowed']);
  });

  it('register an account, confirm its address, and send the mail again', async () => {
    const email = 'newcomer@example.org';
    const answer = await call('register', { email, password: PASSWORD });
    expect([answer.status, answer.text]).toEqual([200, '']);
    await settled();
    await codeTo(email);
    expect((await login(email)).status).toBe(401);
    server.clock.advance(2 * MINUTE);
    await forgetMails();
    expect((await call('resendConfirmationEmail', { email })).status).toBe(200);
    expect((await call('resendConfirmationEmail', { email: NOBODY })).status).toBe(200);
    const code = await codeTo(email);
    const confirm = (): Promise<ApiAnswer> => server.client({}).get('/api/auth/confirmEmail', { query: { userId: 'any', code } });
    const confirmed = await confirm();
    expect([confirmed.status, confirmed.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
    const again = await confirm();
    expect(again).toMatchObject({ status: 401, body: { title: 'Unauthorized.' } });
    expect((await login(email)).status).toBe(200);
  });

  it('refuse to register weak passwords', async () => {
    const answer = await call('register', { email: 'weak@example.org', password: 'weak' });
    expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, ['password']]);
  });

  it('reset a forgotten password', async () => {
    const user = await anybody();
    await call('forgotPassword', { email: user.userName });
    const resetCode = await codeTo(user.userName);
    const reset = (values: object): Promise<ApiAnswer> =>
      call('resetPassword', { email: user.userName, resetCode, newPassword: NEW_PASSWORD, ...values });
    expect(wrongFieldsOf(await reset({ newPassword: 'weak' }))).toEqual(['newPassword']);
    expect(wrongFieldsOf(await reset({ email: NOBODY }))).toEqual(['resetCode']);
    expect((await reset({})).status).toBe(200);
    expect(wrongFieldsOf(await reset({}))).toEqual(['resetCode']);
    expect((await call('forgotPassword', { email: NOBODY })).status).toBe(200);
  });

  it('switch two-factor sign-in on and off', async () => {
    const user = await anybody();
    const headers = bearer((await tokensOf(user)).accessToken);
    const manage = (body: object): Promise<ApiAnswer> => call('manage/2fa', body, headers);
    expect(wrongFieldsOf(await manage({ enable: true }))).toEqual(['twoFactorCode']);
    expect(wrongFieldsOf(await manage({ resetRecoveryCodes: true }))).toEqual(['resetRecoveryCodes']);
    expect(wrongFieldsOf(await manage({ enable: true, resetSharedKey: true }))).toEqual(['resetSharedKey']);
    const before = await manage({});
    expect(before.body).toEqual({
      sharedKey: expect.stringMatching(/^[a-z2-7 ]+$/),
      recoveryCodesLeft: 0,
      recoveryCodes: null,
      isTwoFactorEnabled: false,
      isMachineRemembered: false,
    });
    const first = before.as<{ sharedKey: string }>();
    const same = [await manage({}), await manage({ enable: false })];
    for (const answer of same) expect(answer.body).toMatchObject({ sharedKey: first.sharedKey });
    const { sharedKey } = (await manage({ resetSharedKey: true })).as<{ sharedKey: string }>();
    expect(sharedKey).not.toBe(first.sharedKey);
    expect(wrongFieldsOf(await manage({ enable: true, twoFactorCode: codeOf(first.sharedKey) }))).toEqual(['twoFactorCode']);
    const on = await manage({ enable: true, twoFactorCode: codeOf(sharedKey) });
    expect(on.body).toMatchObject({ sharedKey: '', recoveryCodesLeft: 10, recoveryCodes: { length: 10 }, isTwoFactorEnabled: true });
    expect((await manage({ resetRecoveryCodes: true })).body).toMatchObject({ recoveryCodes: { length: 10 }, isTwoFactorEnabled: true });
    expect((await manage({})).body).toMatchObject({ recoveryCodes: null, recoveryCodesLeft: 10 });
    const off = await manage({ enable: false });
    expect(off.body).toMatchObject({ recoveryCodesLeft: 0, isTwoFactorEnabled: false });
    expect(off.as<{ sharedKey: string }>().sharedKey).not.toBe(sharedKey);
    expect(await kindsOf(user)).toEqual(['SignedIn', 'TwoFactorEnabled', 'RecoveryCodesReplaced', 'TwoFactorDisabled']);
  });

  it('change the password and the address', async () => {
    const user = await anybody();
    const headers = bearer((await tokensOf(user)).accessToken);
    const info = (body: object): Promise<ApiAnswer> => call('manage/info', body, headers);
    expect((await server.client(headers).get('/api/auth/manage/info')).body).toEqual({ email: user.email, isEmailConfirmed: true });
    expect(wrongFieldsOf(await info({ newPassword: NEW_PASSWORD }))).toEqual(['oldPassword']);
    const newEmail = 'renamed@example.org';
    const changed = await info({ newEmail, newPassword: NEW_PASSWORD, oldPassword: PASSWORD });
    expect([changed.status, changed.body]).toEqual([200, { email: user.email, isEmailConfirmed: true }]);
    await server.client({}).get('/api/auth/confirmEmail', { query: { code: await codeTo(newEmail) } });
    expect((await login(newEmail, NEW_PASSWORD)).status).toBe(200);
  });

  it('change neither password nor address when one of them is wrong', async () => {
    const user = await anybody();
    const headers = bearer((await tokensOf(user)).accessToken);
    for (const newEmail of [user.userName, 'nonsense']) {
      const answer = await call('manage/info', { newEmail, newPassword: NEW_PASSWORD, oldPassword: PASSWORD }, headers);
      expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, ['newEmail']]);
    }
    expect((await login(user.userName)).status).toBe(200);
  });

  it('answer 404 to service accounts, and let cookies change nothing without a recent proof', async () => {
    const answers = [
      await server.client().get('/api/auth/manage/info'),
      await server.client().post('/api/auth/manage/info', { body: {} }),
      await server.client().post('/api/auth/manage/2fa', { body: {} }),
    ];
    expect(statusesOf(answers)).toEqual([404, 404, 404]);
    const browser = await browserOf(server, await anybody());
    server.clock.advance(16 * MINUTE);
    const stale = [await browser.post('/api/auth/manage/2fa'), await browser.post('/api/auth/manage/info')];
    expect(stale.map(({ status, body }) => [status, (body as { reason: string }).reason])).toEqual([
      [403, 'StepUpRequired'],
      [403, 'StepUpRequired'],
    ]);
  });
});

describe('too many requests', () => {
  const LIMITED_PATHS = ['interactive-login', 'change-password-with-credentials', 'complete-password-reset'] as const;
  const from = (address: string, path: string): Promise<ApiAnswer> => call(path, {}, { 'x-forwarded-for': address });

  it.each(LIMITED_PATHS)('to %s from one address answer 429 until the minute is over', async (path) => {
    const others = LIMITED_PATHS.filter((other) => other !== path);
    for (let request = 1; request <= 20; request += 1) expect((await from('192.0.2.1', path)).status).toBe(400);
    server.clock.advance(10.5 * SECOND);
    const refused = await from('192.0.2.1', path.toUpperCase());
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('content-type')]).toEqual([
      429,
      '50',
      expect.stringContaining('application/problem+json'),
    ]);
    expect(refused.body).toMatchObject({ title: 'Too many requests.', status: 429 });
    expect((await from('192.0.2.2', path)).status).toBe(400);
    expect((await from('192.0.2.1', others[0])).status).toBe(400);
    server.clock.advance(49.5 * SECOND);
    expect((await from('192.0.2.1', path)).status).toBe(400);
  });

  it('are limited nowhere else', async () => {
    for (const path of ['login', 'refresh', 'register', 'forgotPassword', 'resetPassword', 'resendConfirmationEmail']) {
      const answers = await Promise.all(Array.from({ length: 25 }, () => from('192.0.2.3', path)));
      expect(new Set(statusesOf(answers))).toEqual(new Set([400]));
    }
  });

  it('count for all addresses of a network of IPv6', async () => {
    for (let request = 1; request <= 20; request += 1) await from(`2001:db8::${request}`, 'complete-password-reset');
    expect((await from('2001:db8::ffff', 'complete-password-reset')).status).toBe(429);
    expect((await from('2001:db8:0:1::1', 'complete-password-reset')).status).toBe(400);
  });
});

describe('a server without bearer tokens', () => {
  const plain = testServer();
  const plainTenant = testTenant(plain);

  it('has none of the routes that give them', async () => {
    const posts = [
      'interactive-login',
      'register',
      'login',
      'refresh',
      'resendConfirmationEmail',
      'forgotPassword',
      'resetPassword',
      'manage/2fa',
      'manage/info',
    ];
    const answers = await Promise.all(posts.map((path) => plain.client().post(`/api/auth/${path}`, { body: {} })));
    const gets = await Promise.all(['confirmEmail', 'manage/info'].map((path) => plain.client().get(`/api/auth/${path}`)));
    expect(new Set(statusesOf([...answers, ...gets]))).toEqual(new Set([404]));
  });

  it('ignores the Authorization header', async () => {
    const browser = await browserOf(plain, await createPerson(plain, { tenantId: plainTenant.id }));
    expect((await browser.get('/api/auth/me', { headers: { authorization: 'Bearer anything' } })).status).toBe(200);
    expect((await plain.client({ authorization: 'Bearer anything' }).get('/api/auth/me')).status).toBe(401);
    expect((await browser.post('/api/auth/logout')).status).toBe(204);
    expect((await browser.get('/api/auth/me')).status).toBe(401);
  });
});

describe('a server where registration is closed', () => {
  const closed = testServer({ Service_AppOptions__EnableInteractiveBearerLogin: 'true' });
  const closedTenant = testTenant(closed);

  it('has no route to register', async () => {
    await createPerson(closed, { tenantId: closedTenant.id });
    const answer = await closed.client({}).post('/api/auth/register', { body: { email: 'late@example.org', password: PASSWORD } });
    expect(answer.status).toBe(404);
  });
});
