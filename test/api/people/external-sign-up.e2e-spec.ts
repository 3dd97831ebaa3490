import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { SecurityEvent } from '../../../src/access/security-log/security-event.entity.js';
import { ExternalLogin } from '../../../src/people/external-sign-in/external-login.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { AfterAnswer } from '../../../src/platform/common/concurrency/after-answer.js';
import { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { TestApp } from '../../support/application/app.js';
import { Browser, createPerson } from '../../support/callers/browser.js';
import { changesOf } from '../../support/callers/callers.js';
import { createUser } from '../../support/fixtures/factories.js';
import { testServerWithMail } from '../../support/setup/mailed.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { GitHubStandIn } from '../../support/stand-ins/git-hub-stand-in.js';
import { CLIENT, IdentityProvider } from '../../support/stand-ins/identity-provider.js';
import { MAILED_ADDRESS } from '../../support/stand-ins/mail-server.js';

const provider = await IdentityProvider.start();
const gitHub = await GitHubStandIn.start();
afterAll(() => Promise.all([provider.stop(), gitHub.stop()]));

const CONFIGURED = {
  Service_OpenIdConnect__0__Name: 'corporate',
  Service_OpenIdConnect__0__Issuer: provider.issuer,
  Service_OpenIdConnect__0__ClientId: CLIENT.id,
  Service_OpenIdConnect__0__ClientSecret: CLIENT.secret,
  Service_AppOptions__GitHubUrl: gitHub.url,
  Service_AppOptions__GitHubClientId: CLIENT.id,
  Service_AppOptions__GitHubClientSecret: CLIENT.secret,
};
const OPEN = { ...CONFIGURED, Service_AppOptions__EnablePublicRegistration: 'true' };

/** Makes the service known to the provider before the tests of a block. */
const knownToProvider = (addressOf: () => string): void =>
  beforeAll(() => provider.register([`${addressOf()}/account/external/corporate/callback`]));

/** A name that nobody has at the provider yet, and what the provider says of its address. */
let people = 0;
function somebody(isVerified: boolean, email = `newcomer-${people + 1}@example.org`): { account: string; email: string } {
  const account = `newcomer-${(people += 1)}`;
  provider.addresses.set(account, { email, email_verified: isVerified });
  return { account, email };
}

/** Signs in at a provider, and returns the path that the service leads back to. */
async function signIn(server: TestApp, browser: Browser, account: string): Promise<string> {
  const begun = await browser.get('/account/external/corporate/start', { query: { returnPath: '/devices' } });
  const back = await provider.visit(begun.headers.get('location') ?? '', account);
  const { headers } = await browser.get(`${back.pathname}${back.search}`);
  await server.app.get(AfterAnswer).idle();
  return headers.get('location') ?? '';
}

const refused = (code: string): string => `/devices?externalError=${code}&provider=corporate`;
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get('/account/security-log')).status === 200;
const userOf = (server: TestApp, email: string): Promise<User | null> =>
  server.dataSource.manager.findOneBy(User, { normalizedUserName: email.toUpperCase() });

describe('where everybody may register', () => {
  const server = testServer(OPEN);
  const tenant = testTenant(server);
  knownToProvider(() => server.url);
  beforeAll(() => createUser(server, { tenantId: tenant.id }));

  it('a first sign-in makes an account in a tenant of its own, and the next one opens it', async () => {
    const { account, email } = somebody(true);
    const browser = new Browser(server);
    expect(await signIn(server, browser, account)).toBe('/devices');
    expect(await isSignedIn(browser)).toBe(true);
    const user = await userOf(server, email);
    expect(user).toMatchObject({ email, emailConfirmed: true, passwordHash: null });
    expect(user?.tenantId).not.toBe(tenant.id);
    expect((await browser.get('/account/session')).body).toMatchObject({ user: { hasPassword: false }, serverPermissions: [] });
    const { manager } = server.dataSource;
    const events = await manager.find(SecurityEvent, { where: { userId: user?.id }, order: { id: 'ASC' } });
    expect(events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['Registered', null],
      ['ExternalLoginAdded', 'corporate'],
      ['SignedIn', 'External'],
    ]);
    const actions = (await changesOf(server, user?.id ?? '')).map(({ action }) => action);
    expect(actions.sort()).toEqual(['permission-assignments-seeded', 'user-created', 'user-external-login-added']);
    expect(await signIn(server, new Browser(server), account)).toBe('/devices');
    expect(await manager.countBy(ExternalLogin, { userId: user?.id })).toBe(1);
  });

  it('an address that has an account is never taken over: its user signs in and connects the login', async () => {
    const owner = await createPerson(server, { tenantId: tenant.id });
    const { account } = somebody(true, owner.userName.toUpperCase());
    const [users, tenants] = [await server.dataSource.manager.count(User), await server.dataSource.manager.count(Tenant)];
    const browser = new Browser(server);
    expect(await signIn(server, browser, account)).toBe(refused('AddressTaken'));
    expect(await isSignedIn(browser)).toBe(false);
    expect([await server.dataSource.manager.count(User), await server.dataSource.manager.count(Tenant)]).toEqual([users, tenants]);
    expect(await server.dataSource.manager.countBy(ExternalLogin, { userId: owner.id })).toBe(0);
  });

  it.each([undefined, 'no address', "o'neill@example.org", 'two@at@example.org'])('the address %j makes no account', async (email) => {
    const account = `newcomer-${(people += 1)}`;
    provider.addresses.set(account, { ...(email === undefined ? {} : { email }), email_verified: true });
    expect(await signIn(server, new Browser(server), account)).toBe(refused('AddressMissing'));
  });

  it('several first sign-ins of one person at once make one account', async () => {
    const { account, email } = somebody(true);
    const paths = await Promise.all([1, 2, 3].map(() => signIn(server, new Browser(server), account)));
    expect(paths).toContain('/devices');
    for (const path of paths) expect(['/devices', refused('AddressTaken')]).toContain(path);
    expect(await server.dataSource.manager.countBy(User, { email })).toBe(1);
    expect(await signIn(server, new Browser(server), account)).toBe('/devices');
  });

  it('GitHub is believed about the primary address if it has verified it', async () => {
    const email = `hub-${(people += 1)}@example.org`;
    gitHub.user = { id: 4711, login: 'anna', emails: [{ email, primary: true, verified: true }] };
    const browser = new Browser(server);
    const begun = await browser.get('/account/external/github/start', { query: { returnPath: '/devices' } });
    const back = await gitHub.visit(begun.headers.get('location') ?? '');
    expect((await browser.get(`${back.pathname}${back.search}`)).headers.get('location')).toBe('/devices');
    expect(await userOf(server, email)).toMatchObject({ emailConfirmed: true });
  });
});

describe('where addresses have to be confirmed', () => {
  const { server, mails, codeTo } = testServerWithMail({ ...OPEN, Service_AppOptions__RequireUserEmailConfirmation: 'true' });
  const tenant = testTenant(server);
  knownToProvider(() => MAILED_ADDRESS);
  beforeAll(() => createUser(server, { tenantId: tenant.id }));

  it('one that the provider has not verified gets the mail first, and signs nobody in before', async () => {
    const { account, email } = somebody(false);
    const browser = new Browser(server);
    expect(await signIn(server, browser, account)).toBe(refused('EmailNotConfirmed'));
    expect(await isSignedIn(browser)).toBe(false);
    expect(await signIn(server, browser, account)).toBe(refused('EmailNotConfirmed'));
    const code = await codeTo(email);
    expect((await new Browser(server).post('/account/email/confirm', { code })).status).toBe(200);
    expect(await signIn(server, browser, account)).toBe('/devices');
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('one that is taken is answered alike, unless the provider has verified it: its owner is told', async () => {
    const owner = await createPerson(server, { tenantId: tenant.id });
    const { account } = somebody(false, owner.userName);
    expect(await signIn(server, new Browser(server), account)).toBe(refused('EmailNotConfirmed'));
    expect((await mails().mailTo(owner.userName)).subject).toBe('You already have an account');
    expect(await server.dataSource.manager.countBy(ExternalLogin, { userId: owner.id })).toBe(0);
    expect(await signIn(server, new Browser(server), somebody(true, owner.userName).account)).toBe(refused('AddressTaken'));
  });

  it('one that the provider has verified needs no mail', async () => {
    const { account } = somebody(true);
    expect(await signIn(server, new Browser(server), account)).toBe('/devices');
  });
});

describe('the first user', () => {
  const server = testServer(CONFIGURED);
  knownToProvider(() => server.url);

  it('may sign up at a provider, administers the server, and is the only one', async () => {
    const [first, second] = [somebody(false), somebody(true)];
    const browser = new Browser(server);
    expect(await signIn(server, browser, first.account)).toBe('/devices');
    expect((await browser.get('/account/session')).body).toMatchObject({
      serverPermissions: expect.arrayContaining([Permission.ServerPermissionsWrite.name]) as string[],
    });
    expect(await signIn(server, new Browser(server), second.account)).toBe(refused('NotConnected'));
    expect(await server.dataSource.manager.count(User)).toBe(1);
  });

  it('counts as an administrator who can sign in: what would leave none is refused', async () => {
    const { manager } = server.dataSource;
    const [user] = await manager.find(User);
    const query = { tenantId: user.tenantId, principalKind: 'User', principalId: user.id };
    const { items } = (await server.client().get('/api/v1/permission-assignments', { query })).as<{
      items: { id: string; permissionName: string; scopeKind: string }[];
    }>();
    const last = items.find(({ permissionName }) => permissionName === Permission.TenantPermissionsWrite.name);
    const remove = () => server.client().delete(`/api/v1/permission-assignments/${last?.id}`, { query: { tenantId: user.tenantId } });
    expect((await remove()).status).toBe(400);
  });
});

describe('where the first user may not register', () => {
  const server = testServer({ ...CONFIGURED, Service_AppOptions__DisableFirstUserSelfRegistration: 'true' });
  knownToProvider(() => server.url);

  it('nobody signs up at a provider either', async () => {
    expect(await signIn(server, new Browser(server), somebody(true).account)).toBe(refused('NotConnected'));
    expect(await server.dataSource.manager.count(User)).toBe(0);
  });
});
