import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { SESSION_COOKIE } from '../../../src/access/authentication/sessions/session-cookie.js';
import { Session } from '../../../src/access/authentication/sessions/session.entity.js';
import { SecurityEvent } from '../../../src/access/security-log/security-event.entity.js';
import { ExternalLogin, ExternalSignInFlow } from '../../../src/people/external-sign-in/external-login.entity.js';
import { Passkey, PasskeyDeviceType } from '../../../src/people/passkeys/passkey.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { Browser, browserOf, createPerson } from '../../support/callers/browser.js';
import { changesOf, statusesOf } from '../../support/callers/callers.js';
import { whileWaiting } from '../../support/callers/while-waiting.js';
import { createUser } from '../../support/fixtures/factories.js';
import { eventually } from '../../support/eventually.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { GitHubStandIn } from '../../support/stand-ins/git-hub-stand-in.js';
import { CLIENT, IdentityProvider } from '../../support/stand-ins/identity-provider.js';

const MINUTE = 60_000;
const FLOW_COOKIE = 'device-management-external-sign-in';

const provider = await IdentityProvider.start();
const gitHub = await GitHubStandIn.start();
afterAll(() => Promise.all([provider.stop(), gitHub.stop()]));

/** Three names for the same provider, one of them by another address, and one for nothing. */
const NAMES = {
  corporate: provider.issuer,
  partner: provider.issuer,
  impostor: `http://127.0.0.1:${provider.port}`,
  gone: 'http://localhost:1',
};
const numbered = Object.entries(NAMES).flatMap(([name, issuer], number): [string, string][] => {
  const prefix = `Service_OpenIdConnect__${number}`;
  return [
    [`${prefix}__Name`, name],
    [`${prefix}__Issuer`, issuer],
    [`${prefix}__ClientId`, CLIENT.id],
    [`${prefix}__ClientSecret`, CLIENT.secret],
  ];
});

const server = testServer({
  Service_AppOptions__GitHubUrl: gitHub.url,
  Service_AppOptions__GitHubClientId: CLIENT.id,
  Service_AppOptions__GitHubClientSecret: CLIENT.secret,
  Service_OpenIdConnect__0__DisplayName: 'Contoso',
  ...Object.fromEntries(numbered),
});
const tenant = testTenant(server);

beforeAll(() => {
  server.clock.stop();
  provider.register(Object.keys(NAMES).map((name) => `${server.url}/account/external/${name}/callback`));
});

/** The same with a domain name, so that there can be passkeys. */
const named = testServer({
  Service_AppOptions__PublicUrl: 'http://devices.example',
  Service_AppOptions__GitHubClientId: CLIENT.id,
  Service_AppOptions__GitHubClientSecret: CLIENT.secret,
});
const namedTenant = testTenant(named);

const passkeyOf = ({ id: userId }: User, id: string): Partial<Passkey> => ({
  id,
  userId,
  name: 'Laptop',
  credentialId: Buffer.from(id),
  publicKey: Buffer.from('a key'),
  counter: '0',
  transports: [],
  deviceType: PasskeyDeviceType.SingleDevice,
  isBackedUp: false,
  lastUsedAt: null,
});

const anybody = (values: Partial<User> = {}): Promise<User> => createPerson(server, { tenantId: tenant.id, ...values });
const locationOf = (answer: ApiAnswer): string => answer.headers.get('location') ?? '';
const loginsOf = ({ id }: User): Promise<ExternalLogin[]> => server.dataSource.manager.findBy(ExternalLogin, { userId: id });
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get('/account/security-log')).status === 200;
const kindsOf = async ({ id }: User): Promise<string[]> => {
  const events = await server.dataSource.manager.find(SecurityEvent, { where: { userId: id }, order: { id: 'ASC' } });
  return events.map(({ kind }) => kind);
};

/** A name that nobody has at the provider yet. */
let people = 0;
const newAccount = (): string => `person-${(people += 1)}`;

/** Begins a sign-in, and returns the address at the provider. */
async function start(browser: Browser, returnPath = '/devices', name = 'corporate'): Promise<URL> {
  const answer = await browser.get(`/account/external/${name}/start`, { query: { returnPath } });
  expect(answer.status).toBe(303);
  return new URL(locationOf(answer));
}

/** Comes back from the provider, and returns the path that the service leads to. */
async function comeBack(browser: Browser, answer: URL): Promise<string> {
  const { status, headers } = await browser.get(`${answer.pathname}${answer.search}`);
  expect(status).toBe(303);
  return headers.get('location') ?? '';
}

async function signIn(browser: Browser, account: string | null): Promise<string> {
  return comeBack(browser, await provider.visit((await start(browser)).href, account));
}

/** Connects an account at the provider with that of the browser's user. */
async function connect(browser: Browser, account: string, name = 'corporate'): Promise<string> {
  const answer = await browser.post(`/account/external/${name}/link`, { returnPath: '/account?tab=logins' });
  return comeBack(browser, await provider.visit(answer.as<{ address: string }>().address, account));
}

/** A user with a connected login. */
async function connected(values: Partial<User> = {}): Promise<{ user: User; account: string; browser: Browser }> {
  const user = await anybody(values);
  const account = newAccount();
  const browser = await browserOf(server, user);
  expect(await connect(browser, account)).toBe('/account?tab=logins');
  return { user, account, browser };
}

describe('the providers', () => {
  it('are listed for everybody, with nothing but their names', async () => {
    const { body, text } = await new Browser(server).get('/account/external/providers');
    expect(body).toEqual({
      items: [
        { name: 'github', displayName: 'GitHub' },
        { name: 'corporate', displayName: 'Contoso' },
        { name: 'partner', displayName: 'partner' },
        { name: 'impostor', displayName: 'impostor' },
        { name: 'gone', displayName: 'gone' },
      ],
    });
    expect(text).not.toContain(CLIENT.id);
  });

  it('are named in the path: another name is not found', async () => {
    const browser = await browserOf(server, await anybody());
    const answers = [
      await browser.get('/account/external/nobody/start'),
      await browser.get('/account/external/nobody/callback?state=x&code=y'),
      await browser.post('/account/external/nobody/link', {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

describe('signing in', () => {
  it('opens a session for the user whose account is connected, and leads back', async () => {
    const { user, account } = await connected();
    const browser = new Browser(server);
    expect(await signIn(browser, account)).toBe('/devices');
    expect(await isSignedIn(browser)).toBe(true);
    expect(browser.cookies.has(FLOW_COOKIE)).toBe(false);
    const sessions = await server.dataSource.manager.findBy(Session, { userId: user.id, method: 'External' as never });
    expect(sessions).toMatchObject([{ isPersistent: false }]);
    expect(await loginsOf(user)).toMatchObject([
      { lastUsedAt: server.clock.now(), displayName: `Person ${account}`, email: `${account}@example.org` },
    ]);
    expect(await kindsOf(user)).toEqual(['ExternalLoginAdded', 'SignedIn']);
  });

  it('asks the provider with state, nonce and PKCE, and keeps the secrets from scripts and other sites', async () => {
    const answer = await new Browser(server).get('/account/external/corporate/start');
    const asked = new URL(locationOf(answer)).searchParams;
    expect(Object.fromEntries(asked)).toEqual({
      client_id: CLIENT.id,
      response_type: 'code',
      redirect_uri: `${server.url}/account/external/corporate/callback`,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(new RegExp(`^${FLOW_COOKIE}=[\\w-]{86}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600$`)),
    ]);
    const stored = JSON.stringify(await server.dataSource.manager.find(ExternalSignInFlow));
    expect(stored).not.toContain(asked.get('state'));
  });

  it('keeps the cookie after the browser closes if it should', async () => {
    const { account } = await connected();
    const browser = new Browser(server);
    const answer = await browser.get('/account/external/corporate/start', { query: { isPersistent: true } });
    const back = await provider.visit(locationOf(answer), account);
    const { headers } = await browser.get(`${back.pathname}${back.search}`);
    expect(headers.getSetCookie().join('\n')).toMatch(new RegExp(`${SESSION_COOKIE}=.*Max-Age=${90 * 24 * 60 * 60}`));
  });

  it('ends the session that the browser had', async () => {
    const { account } = await connected();
    const browser = await browserOf(server, await anybody());
    const former = new Browser(server);
    for (const [name, value] of browser.cookies) former.cookies.set(name, value);
    await signIn(browser, account);
    expect([await isSignedIn(browser), await isSignedIn(former)]).toEqual([true, false]);
  });

  it.each([
    ['suspended', 'Suspended', 'UPDATE users SET suspended_at = now() WHERE id = '],
    ['deleted', 'NotConnected', 'DELETE FROM users WHERE id = '],
  ])('leads back with the reason when the user is %s at the same time', async (_what, reason, change) => {
    const { user, account } = await connected();
    const path = await whileWaiting(server, `${change}'${user.id}'`, () => signIn(new Browser(server), account));
    expect(path).toBe(`/devices?externalError=${reason}&provider=corporate`);
  });

  it('needs no second factor, and leaves a password that has to be changed as it is', async () => {
    const { account } = await connected({ twoFactorEnabled: true });
    const browser = new Browser(server);
    expect(await signIn(browser, account)).toBe('/devices');
    expect(await isSignedIn(browser)).toBe(true);

    const other = await connected();
    await server.dataSource.manager.update(User, { id: other.user.id }, { requirePasswordChange: true });
    const bound = new Browser(server);
    expect(await signIn(bound, other.account)).toBe('/devices');
    expect((await bound.get('/account/security-log')).body).toMatchObject({ status: 403, reason: 'PasswordChangeRequired' });
  });

  it('is never locked by guesses at the password', async () => {
    const { user, account } = await connected();
    for (let attempt = 0; attempt < 5; attempt += 1) await new Browser(server).signIn(user, 'Wrong-Horse-7');
    const browser = new Browser(server);
    expect(await signIn(browser, account)).toBe('/devices');
  });

  it('never takes over an account by its address, and makes none while registration is closed', async () => {
    const account = newAccount();
    const user = await anybody({ userName: `${account}@example.org`, email: `${account}@example.org` });
    const before = await server.dataSource.manager.count(User);
    const browser = new Browser(server);
    expect(await signIn(browser, account)).toBe('/devices?externalError=NotConnected&provider=corporate');
    expect(await isSignedIn(browser)).toBe(false);
    expect(await server.dataSource.manager.count(User)).toBe(before);
    expect([await loginsOf(user), await kindsOf(user)]).toEqual([[], []]);
  });

  it('with one provider is none with another, although the person has the same id there', async () => {
    const { account } = await connected();
    const browser = new Browser(server);
    const back = await provider.visit((await start(browser, '/', 'partner')).href, account);
    expect(await comeBack(browser, back)).toBe('/?externalError=NotConnected&provider=partner');
  });

  it('says so when the person declines, without the words of the provider', async () => {
    const browser = new Browser(server);
    const back = await provider.visit((await start(browser)).href, null);
    expect(back.searchParams.get('error_description')).toBe('No <b>thanks</b>');
    expect(await comeBack(browser, back)).toBe('/devices?externalError=Denied&provider=corporate');
  });

  it('says so when the provider does not answer', async () => {
    const browser = new Browser(server);
    const answer = await browser.get('/account/external/gone/start', { query: { returnPath: '/devices' } });
    expect([answer.status, locationOf(answer)]).toEqual([303, '/devices?externalError=ProviderUnavailable&provider=gone']);
    const user = await browserOf(server, await anybody());
    const refused = await user.post('/account/external/gone/link', {});
    expect([refused.status, refused.body]).toMatchObject([502, { detail: 'The provider does not answer. Try again later.' }]);
  });
});

describe('an answer of a provider', () => {
  it.each([
    ['with another nonce', 'nonce'],
    ['when the code was asked for with another verifier', 'code_challenge'],
  ])('does not hold %s', async (_what, parameter) => {
    const { account } = await connected();
    const browser = new Browser(server);
    const address = await start(browser);
    address.searchParams.set(parameter, 'x'.repeat(43));
    expect(await comeBack(browser, await provider.visit(address.href, account))).toBe(
      '/devices?externalError=ProviderFailed&provider=corporate',
    );
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('does not hold when another issuer claims to have given it, or none does', async () => {
    const { account } = await connected();
    for (const iss of ['https://evil.example', null]) {
      const browser = new Browser(server);
      const back = await provider.visit((await start(browser)).href, account);
      expect(back.searchParams.get('iss')).toBe(provider.issuer);
      if (iss === null) back.searchParams.delete('iss');
      else back.searchParams.set('iss', iss);
      expect(await comeBack(browser, back)).toBe('/devices?externalError=ProviderFailed&provider=corporate');
      expect(await isSignedIn(browser)).toBe(false);
    }
  });

  it('is not even asked for when what the provider says of itself names another issuer', async () => {
    const answer = await new Browser(server).get('/account/external/impostor/start');
    expect(locationOf(answer)).toBe('/?externalError=ProviderUnavailable&provider=impostor');
  });

  it('does not hold at another provider', async () => {
    const { account } = await connected();
    const browser = new Browser(server);
    const back = await provider.visit((await start(browser)).href, account);
    back.pathname = '/account/external/partner/callback';
    expect(await comeBack(browser, back)).toBe('/?externalError=Expired&provider=partner');
  });

  it('works once', async () => {
    const { account } = await connected();
    const browser = new Browser(server);
    const back = await provider.visit((await start(browser)).href, account);
    const cookies = [...browser.cookies];
    const again = (): Browser => {
      const copy = new Browser(server);
      for (const [name, value] of cookies) copy.cookies.set(name, value);
      return copy;
    };
    const paths = await Promise.all([browser, again(), again()].map((copy) => comeBack(copy, back)));
    expect(paths.sort()).toEqual(['/?externalError=Expired&provider=corporate', '/?externalError=Expired&provider=corporate', '/devices']);
  });

  it('does not hold with the code of an earlier one', async () => {
    const { account } = await connected();
    const browser = new Browser(server);
    const used = await provider.visit((await start(browser)).href, account);
    expect(await comeBack(browser, used)).toBe('/devices');
    const thief = new Browser(server);
    const back = await provider.visit((await start(thief)).href, newAccount());
    back.searchParams.set('code', used.searchParams.get('code') ?? '');
    expect(await comeBack(thief, back)).toBe('/devices?externalError=ProviderFailed&provider=corporate');
    expect(await isSignedIn(thief)).toBe(false);
  });

  it('holds for ten minutes', async () => {
    const { account } = await connected();
    const browser = new Browser(server);
    const back = await provider.visit((await start(browser)).href, account);
    server.clock.advance(10 * MINUTE);
    expect(await comeBack(browser, back)).toBe('/?externalError=Expired&provider=corporate');
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('signs nobody in who did not ask for it, nor in another browser', async () => {
    const { account } = await connected();
    const [attacker, victim, busy] = [new Browser(server), new Browser(server), new Browser(server)];
    const back = await provider.visit((await start(attacker)).href, account);
    await start(busy);
    for (const browser of [victim, busy]) {
      expect(await comeBack(browser, back)).toBe('/?externalError=Expired&provider=corporate');
      expect(await isSignedIn(browser)).toBe(false);
    }
    // Nor has the attempt used up the sign-in flow of its own browser.
    expect(await comeBack(attacker, back)).toBe('/devices');
  });

  it.each([
    '',
    '?state=',
    '?state=x&state=y',
    `?state=${'x'.repeat(5000)}`,
    '?code=x',
    '?error=access_denied&error_description=%3Cscript%3E',
  ])('is nothing without the state of a sign-in flow: %j', async (query) => {
    const browser = new Browser(server);
    await start(browser);
    const answer = await browser.get(`/account/external/corporate/callback${query}`);
    expect([answer.status, locationOf(answer)]).toEqual([303, '/?externalError=Expired&provider=corporate']);
  });
});

describe('the path that people are led back to', () => {
  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'devices',
  ])('is none elsewhere: %j', async (returnPath) => {
    const user = await browserOf(server, await anybody());
    const answers = [
      await new Browser(server).get('/account/external/corporate/start', { query: { returnPath } }),
      await user.post('/account/external/corporate/link', { returnPath }),
    ];
    for (const { status, body, headers } of answers) {
      expect([status, headers.get('location'), headers.getSetCookie()]).toEqual([400, null, []]);
      expect(body).toMatchObject({ errors: { returnPath: [expect.stringContaining('path of this service')] } });
    }
  });

  it('is the first page by default', async () => {
    const { account } = await connected();
    const browser = new Browser(server);
    const begun = await browser.get('/account/external/corporate/start');
    expect(await comeBack(browser, await provider.visit(locationOf(begun), account))).toBe('/');
  });
});

describe('a connected login', () => {
  it('is listed for its user only', async () => {
    const { account, browser } = await connected();
    const { body } = await browser.get('/account/external/logins');
    expect(body).toEqual({
      items: [
        {
          id: expect.any(String) as string,
          provider: 'corporate',
          providerDisplayName: 'Contoso',
          displayName: `Person ${account}`,
          email: `${account}@example.org`,
          createdAt: server.clock.now().toISOString(),
          lastUsedAt: null,
        },
      ],
    });
    const other = await browserOf(server, await anybody());
    expect((await other.get('/account/external/logins')).body).toEqual({ items: [] });
  });

  it('stays with its account: another cannot connect it, and connecting it again changes nothing', async () => {
    const { user, account, browser } = await connected();
    expect(await connect(browser, account)).toBe('/account?tab=logins');
    const other = await anybody();
    expect(await connect(await browserOf(server, other), account)).toBe(
      '/account?tab=logins&externalError=ConnectedElsewhere&provider=corporate',
    );
    expect([await loginsOf(user), await loginsOf(other)]).toMatchObject([[{ provider: 'corporate' }], []]);
  });

  it('is one of twenty at most', async () => {
    const { user, browser } = await connected();
    const [login] = await loginsOf(user);
    const more = Array.from({ length: 19 }, (_, index) => ({ ...login, id: crypto.randomUUID(), subject: `more ${index}` }));
    await server.dataSource.manager.insert(ExternalLogin, more);
    expect(await connect(browser, newAccount())).toBe('/account?tab=logins&externalError=TooManyLogins&provider=corporate');
    expect(await loginsOf(user)).toHaveLength(20);
  });

  it('needs a proof of identity that is not old, both to come and to go', async () => {
    const { browser } = await connected();
    server.clock.advance(16 * MINUTE);
    const { items } = (await browser.get('/account/external/logins')).as<{ items: ExternalLogin[] }>();
    const answers = [
      await browser.post('/account/external/corporate/link', {}),
      await browser.delete(`/account/external/logins/${items[0].id}`),
    ];
    for (const { status, body } of answers) expect([status, body]).toMatchObject([403, { reason: 'StepUpRequired' }]);
  });

  it('is connected in the session that asked for it only', async () => {
    const [user, victim] = [await anybody(), await anybody()];
    const [browser, other] = [await browserOf(server, user), await browserOf(server, victim)];
    const begun = (await browser.post('/account/external/corporate/link', {})).as<{ address: string }>();
    const back = await provider.visit(begun.address, newAccount());
    expect(await comeBack(other, back)).toBe('/?externalError=Expired&provider=corporate');
    // Nor does the cookie alone make it so.
    other.cookies.set(FLOW_COOKIE, browser.cookies.get(FLOW_COOKIE) ?? '');
    expect(await comeBack(other, back)).toBe('/?externalError=SessionEnded&provider=corporate');
    expect([await loginsOf(user), await loginsOf(victim)]).toEqual([[], []]);
  });

  it('is not connected after the session has ended', async () => {
    const browser = await browserOf(server, await anybody());
    const begun = (await browser.post('/account/external/corporate/link', {})).as<{ address: string }>();
    const back = await provider.visit(begun.address, newAccount());
    await browser.post('/account/sign-out');
    expect(await comeBack(browser, back)).toBe('/?externalError=Expired&provider=corporate');
  });

  it('can be disconnected, which ends the sessions that it may have opened', async () => {
    const { user, account, browser } = await connected();
    const opened = new Browser(server);
    await signIn(opened, account);
    const [{ id }] = await loginsOf(user);
    const stranger = await browserOf(server, await anybody());
    expect((await stranger.delete(`/account/external/logins/${id}`)).status).toBe(404);
    expect((await browser.delete(`/account/external/logins/${id}`)).status).toBe(204);
    expect([await isSignedIn(browser), await isSignedIn(opened)]).toEqual([true, false]);
    expect(await signIn(opened, account)).toBe('/devices?externalError=NotConnected&provider=corporate');
    expect((await browser.delete(`/account/external/logins/${id}`)).status).toBe(404);
    expect(await kindsOf(user)).toEqual(['ExternalLoginAdded', 'SignedIn', 'ExternalLoginRemoved']);
    const changes = (await changesOf(server, user.id)).map(({ action }) => action);
    expect(changes.sort()).toEqual(['user-external-login-added', 'user-external-login-removed']);
  });

  it('goes when a passkey is left, which goes no more then', async () => {
    const user = await createUser(named, { tenantId: namedTenant.id, passwordHash: null, emailConfirmed: true });
    const browser = await browserOf(named, user);
    const { manager } = named.dataSource;
    const login = { userId: user.id, provider: 'github', issuer: 'https://github.com', subject: user.id };
    const [first, second] = [newGuid(), newGuid()];
    const more = { displayName: null, email: null, lastUsedAt: null };
    await manager.insert(ExternalLogin, { id: first, ...login, ...more });
    const passkeys = [newGuid(), newGuid()];
    for (const id of passkeys) await manager.insert(Passkey, passkeyOf(user, id));
    expect((await browser.delete(`/account/external/logins/${first}`)).status).toBe(204);
    // Of two at once, one stays.
    const gone = await Promise.all(passkeys.map((id) => browser.delete(`/account/passkeys/${id}`)));
    expect(statusesOf(gone)).toEqual([204, 409]);
    const [{ id: last }] = await manager.findBy(Passkey, { userId: user.id });
    const refused = await browser.delete(`/account/passkeys/${last}`);
    expect([refused.status, refused.body]).toMatchObject([409, { detail: expect.stringContaining('only way') as string }]);
    await manager.insert(ExternalLogin, { id: second, ...login, ...more });
    expect((await browser.delete(`/account/passkeys/${last}`)).status).toBe(204);
    expect((await browser.delete(`/account/external/logins/${second}`)).status).toBe(409);
  });

  it('stays where passkeys cannot be used', async () => {
    const user = await createUser(server, { tenantId: tenant.id, passwordHash: null, emailConfirmed: true });
    const browser = await browserOf(server, user);
    await connect(browser, newAccount());
    await server.dataSource.manager.insert(Passkey, passkeyOf(user, newGuid()));
    const [{ id }] = await loginsOf(user);
    expect((await browser.delete(`/account/external/logins/${id}`)).status).toBe(409);
  });

  it('stays when it is the only way to sign in', async () => {
    const user = await createUser(server, { tenantId: tenant.id, passwordHash: null, emailConfirmed: true });
    const browser = await browserOf(server, user);
    await connect(browser, newAccount());
    const [first] = await loginsOf(user);
    const refused = await browser.delete(`/account/external/logins/${first.id}`);
    expect([refused.status, refused.body]).toMatchObject([409, { detail: expect.stringContaining('only way') as string }]);
    // A login of a provider that is not configured any more opens nothing.
    await server.dataSource.manager.insert(ExternalLogin, { ...first, id: crypto.randomUUID(), provider: 'former' });
    expect((await browser.delete(`/account/external/logins/${first.id}`)).status).toBe(409);
    await connect(browser, newAccount(), 'partner');
    expect((await browser.delete(`/account/external/logins/${first.id}`)).status).toBe(204);
  });
});

describe('a proof of identity at a provider', () => {
  /** Signs in at the provider once more, and returns the path that the service leads to. */
  async function prove(browser: Browser, account: string, change: (address: URL) => void = () => undefined): Promise<string> {
    const begun = await browser.post('/account/external/corporate/step-up', { returnPath: '/account/security' });
    const address = new URL(begun.as<{ address: string }>().address);
    change(address);
    return comeBack(browser, await provider.visit(address.href, account));
  }
  const needsProof = async (browser: Browser): Promise<unknown> => {
    const answer = await browser.post('/account/two-factor/recovery-codes', {});
    return answer.status === 403 ? (answer.body as { reason?: string }).reason : answer.status;
  };

  it('opens what asks for a proof, in the session in which it was given', async () => {
    const { user, account, browser } = await connected({ passwordHash: null });
    const other = await browserOf(server, user);
    server.clock.advance(16 * MINUTE);
    expect(await needsProof(browser)).toBe('StepUpRequired');
    expect(await prove(browser, account)).toBe('/account/security');
    // Another node hears of the proof some milliseconds later.
    await eventually('the proof opens the route', async () => (await needsProof(browser)) === 409);
    expect(await needsProof(other)).toBe('StepUpRequired');
    expect(await kindsOf(user)).toEqual(['ExternalLoginAdded', 'IdentityProven']);
    // The session goes on: nobody was signed in again.
    expect(await server.dataSource.manager.countBy(Session, { userId: user.id })).toBe(2);
  });

  it('asks the provider to have the person sign in there again', async () => {
    const { browser } = await connected();
    const begun = await browser.post('/account/external/corporate/step-up', {});
    const asked = new URL(begun.as<{ address: string }>().address).searchParams;
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0']);
  });

  it('is none when the provider says that the person signed in there long ago', async () => {
    const { account, browser } = await connected();
    server.clock.advance(16 * MINUTE);
    provider.signsInAt = Math.floor(Date.now() / 1000) - 11 * 60;
    try {
      const path = await prove(browser, account, (address) => {
        address.searchParams.delete('prompt');
        address.searchParams.set('max_age', '86400');
      });
      expect(path).toBe('/account/security?externalError=NotAnew&provider=corporate');
    } finally {
      provider.signsInAt = undefined;
    }
    expect(await needsProof(browser)).toBe('StepUpRequired');
  });

  it('is none with a login of another user, or of nobody', async () => {
    const [{ browser }, stranger] = [await connected(), await connected()];
    server.clock.advance(16 * MINUTE);
    for (const account of [stranger.account, newAccount()]) {
      expect(await prove(browser, account)).toBe('/account/security?externalError=OtherLogin&provider=corporate');
    }
    expect(await needsProof(browser)).toBe('StepUpRequired');
  });

  it('is one whatever others guess, and none after the session has ended', async () => {
    const { user, account, browser } = await connected();
    for (let attempt = 0; attempt < 5; attempt += 1) await new Browser(server).signIn(user, 'Wrong-Horse-7');
    expect(await prove(browser, account)).toBe('/account/security');
    const begun = (await browser.post('/account/external/corporate/step-up', {})).as<{ address: string }>();
    const back = await provider.visit(begun.address, account);
    await browser.post('/account/sign-out');
    expect(await comeBack(browser, back)).toBe('/?externalError=Expired&provider=corporate');
  });
});

describe('sign-in flows under way', () => {
  it('are bounded for each address: the oldest gives way', async () => {
    const first = new Browser(server);
    await start(first);
    const [oldest] = await server.dataSource.manager.find(ExternalSignInFlow, { order: { id: 'DESC' }, take: 1 });
    for (let count = 0; count < 100; count += 1) {
      server.clock.advance(1);
      await start(new Browser(server));
    }
    expect(await server.dataSource.manager.count(ExternalSignInFlow)).toBe(100);
    expect(await server.dataSource.manager.existsBy(ExternalSignInFlow, { id: oldest.id })).toBe(false);
  });
});

describe('GitHub', () => {
  const through = async (browser: Browser, address: string): Promise<string> => comeBack(browser, await gitHub.visit(address));

  it('is asked with PKCE, and people are known by their number, not by their name', async () => {
    const user = await anybody();
    const owner = await browserOf(server, user);
    const emails = [
      { email: 'anna@old.example', primary: false, verified: true },
      { email: 'anna@example.org', primary: true, verified: true },
    ];
    gitHub.user = { id: 4711, login: 'anna', emails };
    const begun = (await owner.post('/account/external/github/link', { returnPath: '/account' })).as<{ address: string }>();
    expect(await through(owner, begun.address)).toBe('/account');
    expect(await loginsOf(user)).toMatchObject([
      { provider: 'github', issuer: gitHub.url, subject: '4711', displayName: 'anna', email: 'anna@example.org' },
    ]);

    const browser = new Browser(server);
    gitHub.user = { id: 4711, login: 'anna-renamed' };
    expect(await through(browser, (await start(browser, '/', 'github')).href)).toBe('/');
    expect(await isSignedIn(browser)).toBe(true);

    const other = new Browser(server);
    gitHub.user = { id: 4712, login: 'anna' };
    expect(await through(other, (await start(other, '/', 'github')).href)).toBe('/?externalError=NotConnected&provider=github');
  });

  it('refuses a code that was asked for with another verifier', async () => {
    const browser = new Browser(server);
    const address = await start(browser, '/', 'github');
    address.searchParams.set('code_challenge', 'c'.repeat(43));
    expect(await through(browser, address.href)).toBe('/?externalError=ProviderFailed&provider=github');
  });
});
