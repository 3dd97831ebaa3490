import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { SecurityEvent } from '../../../src/access/security-log/security-event.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { AdvisoryLock, lockUntilCommit } from '../../../src/platform/database/locks/advisory-locks.js';
import { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import type { TestApp } from '../../support/application/app.js';
import { Browser, createPerson, PASSWORD } from '../../support/callers/browser.js';
import { changesOf, detailOf, statusesOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { createUser } from '../../support/fixtures/factories.js';
import { testServerWithMail } from '../../support/setup/mailed.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60_000;

const newAddress = (): string => `person-${newGuid()}@example.org`;
const register = (browser: Browser, email: string, password = PASSWORD): Promise<ApiAnswer> =>
  browser.post('/account/register', { email, password });
const userOf = (server: TestApp, email: string): Promise<User> =>
  server.dataSource.manager.findOneByOrFail(User, { normalizedUserName: email.toUpperCase() });
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get('/account/security-log')).status === 200;

/** The names of the permissions that a user holds, as the list of users shows them. */
async function permissionsOf(server: TestApp, { id, tenantId }: User): Promise<readonly string[]> {
  const { items } = (await server.client().get('/api/v1/users', { query: { tenantId } })).as<{
    items: { id: string; permissions: string[] }[];
  }>();
  return items.find((item) => item.id === id)?.permissions ?? [];
}

describe('the first user', () => {
  const server = testServer();

  it('is the only one of several visitors at once, administers server and tenant, and is signed in', async () => {
    const visitor = new Browser(server);
    expect((await visitor.get('/account/registration')).body).toEqual({
      isOpen: true,
      isFirstUser: true,
      hasUsers: false,
      isMailNeeded: false,
    });
    const visitors = Array.from({ length: 4 }, () => ({ browser: new Browser(server), email: newAddress() }));
    const answers = await Promise.all(visitors.map(({ browser, email }) => register(browser, email)));
    expect(statusesOf(answers)).toEqual([200, 403, 403, 403]);
    const { browser, email } = visitors[answers.findIndex(({ status }) => status === 200)];
    const user = await userOf(server, email);
    expect(user).toMatchObject({ emailConfirmed: true, email });
    expect((await browser.get(`/api/v1/tenants/${user.tenantId}`)).status).toBe(200);
    const held = await permissionsOf(server, user);
    for (const { name } of [
      Permission.ServerPermissionsWrite,
      Permission.TenantPermissionsWrite,
      Permission.DeviceTerminalUse,
      Permission.InstallerKeyWrite,
      Permission.PersonalAccessTokenSelfWrite,
    ])
      expect(held).toContain(name);
    expect(await server.dataSource.manager.findOneByOrFail(Tenant, { id: user.tenantId })).toMatchObject({ name: null });
    expect(await server.dataSource.manager.countBy(Tenant, {})).toBe(1);
    expect((await changesOf(server, user.tenantId)).map(({ action }) => action)).toEqual(['tenant-created']);
    const changes = (await changesOf(server, user.id)).map(({ action }) => action);
    expect(changes.sort()).toEqual(['permission-assignments-seeded', 'user-created']);
    expect((await visitor.get('/account/registration')).body).toMatchObject({ isOpen: false, isFirstUser: false, hasUsers: true });
  });
});

describe('where the first user may not register', () => {
  const server = testServer({ Service_AppOptions__DisableFirstUserSelfRegistration: 'true' });

  it('nobody can, and nothing is made', async () => {
    expect((await new Browser(server).get('/account/registration')).body).toMatchObject({
      isOpen: false,
      isFirstUser: false,
      hasUsers: false,
    });
    expect((await register(new Browser(server), newAddress())).status).toBe(403);
    expect(await server.dataSource.manager.countBy(User, {})).toBe(0);
  });
});

describe('where everybody may register', () => {
  const { server, mails, codeTo } = testServerWithMail({ Service_AppOptions__EnablePublicRegistration: 'true' });
  const tenant = testTenant(server);

  beforeAll(() => createUser(server, { tenantId: tenant.id }));

  it('each gets a tenant of their own, and no rights on the server', async () => {
    const [first, second] = [newAddress(), newAddress()];
    const browser = new Browser(server);
    expect((await register(browser, ` ${first} `)).body).toEqual({ outcome: 'SignedIn' });
    await register(new Browser(server), second);
    const [one, other] = [await userOf(server, first), await userOf(server, second)];
    expect(one.tenantId).not.toBe(other.tenantId);
    expect(one.emailConfirmed).toBe(false);
    const held = await permissionsOf(server, one);
    expect(held).toContain(Permission.TenantPermissionsWrite.name);
    expect(held.filter((name) => name.startsWith('server.'))).toEqual([]);
    expect((await browser.get('/api/v1/tags', { query: { tenantId: other.tenantId } })).status).toBe(403);
    const events = await server.dataSource.manager.find(SecurityEvent, { where: { userId: one.id }, order: { id: 'ASC' } });
    expect(events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['Registered', null],
      ['SignedIn', 'Registration'],
    ]);
  });

  it('a mail brings the link that confirms the address, which works once', async () => {
    const email = newAddress();
    await register(new Browser(server), email);
    const code = await codeTo(email);
    const answers = await Promise.all([1, 2, 3].map(() => new Browser(server).post('/account/email/confirm', { code })));
    expect(statusesOf(answers)).toEqual([200, 400, 400]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ email });
    expect((await userOf(server, email)).emailConfirmed).toBe(true);
    expect((await mails().mailTo(email)).subject).toBe('Confirm your e-mail address');
  });

  it('a taken address is refused at its field, in any case', async () => {
    const { userName } = await createPerson(server, { tenantId: tenant.id });
    const before = await server.dataSource.manager.countBy(Tenant, {});
    const answer = await register(new Browser(server), userName.toUpperCase());
    expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, ['email']]);
    const email = newAddress();
    const answers = await Promise.all([1, 2, 3].map(() => register(new Browser(server), email)));
    expect(statusesOf(answers)).toEqual([200, 400, 400]);
    expect(await server.dataSource.manager.countBy(Tenant, {})).toBe(before + 1);
  });

  it.each([
    ['ann', PASSWORD, ['email']],
    ['ann@example.org\r\nBcc: eve@example.org', PASSWORD, ['email']],
    [newAddress(), 'short', ['password']],
    [newAddress(), 'Password1', ['password']],
    ['', '', ['email', 'password']],
  ])('%j with %j is refused', async (email, password, fields) => {
    const answer = await register(new Browser(server), email, password);
    expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, fields]);
  });

  it('pages of other origins are refused', async () => {
    const answer = await new Browser(server).post(
      '/account/register',
      { email: newAddress(), password: PASSWORD },
      { headers: { origin: 'https://evil.example' } },
    );
    expect(answer.status).toBe(403);
  });
});

describe('where addresses have to be confirmed', () => {
  const { server, mails, codeTo, settled, forgetMails } = testServerWithMail({
    Service_AppOptions__EnablePublicRegistration: 'true',
    Service_AppOptions__RequireUserEmailConfirmation: 'true',
  });
  const tenant = testTenant(server);

  beforeAll(async () => {
    server.clock.stop();
    await createUser(server, { tenantId: tenant.id });
  });
  beforeEach(forgetMails);

  it('a free address and a taken one are answered alike, and mails tell the difference', async () => {
    const taken = await createPerson(server, { tenantId: tenant.id });
    const free = newAddress();
    const answers = [await register(new Browser(server), free), await register(new Browser(server), taken.userName)];
    for (const answer of answers) {
      expect([answer.status, answer.body, answer.headers.getSetCookie()]).toEqual([200, { outcome: 'EmailConfirmationRequired' }, []]);
    }
    expect((await mails().mailTo(free)).subject).toBe('Confirm your e-mail address');
    expect((await mails().mailTo(taken.userName)).subject).toBe('You already have an account');
    await register(new Browser(server), taken.userName);
    await settled();
    expect(mails().received.filter(({ to }) => to.includes(taken.userName))).toHaveLength(1);
  });

  it('the answer does not wait for the account, so that its time tells nothing', async () => {
    const email = newAddress();
    await server.dataSource.transaction(async (manager) => {
      await lockUntilCommit(manager, AdvisoryLock.Registration);
      expect((await register(new Browser(server), email)).status).toBe(200);
    });
    expect((await mails().mailTo(email)).subject).toBe('Confirm your e-mail address');
  });

  it('one signs in after the confirmation, not before, and can ask for the mail again', async () => {
    const email = newAddress();
    const browser = new Browser(server);
    await register(browser, email);
    const first = await codeTo(email);
    expect((await browser.signIn({ userName: email })).body).toMatchObject({ outcome: 'EmailConfirmationRequired' });
    await forgetMails();
    expect((await browser.post('/account/email/resend-confirmation', { email })).status).toBe(204);
    await settled();
    expect(mails().received).toEqual([]);
    server.clock.advance(MINUTE);
    expect((await browser.post('/account/email/resend-confirmation', { email: email.toUpperCase() })).status).toBe(204);
    const second = await codeTo(email);
    expect((await browser.post('/account/email/confirm', { code: first })).status).toBe(400);
    expect((await browser.post('/account/email/confirm', { code: second })).status).toBe(200);
    expect((await browser.signIn({ userName: email })).body).toMatchObject({ outcome: 'SignedIn' });
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('users whom an administrator makes get that mail, and sign in once they have confirmed', async () => {
    const email = newAddress();
    const body = { userName: email, email, password: PASSWORD, presetNames: [] };
    expect((await server.client().post('/api/v1/users', { query: { tenantId: tenant.id }, body })).status).toBe(201);
    const code = await codeTo(email);
    const browser = new Browser(server);
    expect((await browser.signIn({ userName: email })).body).toMatchObject({ outcome: 'EmailConfirmationRequired' });
    expect((await browser.post('/account/email/confirm', { code })).status).toBe(200);
    expect((await browser.signIn({ userName: email })).body).toMatchObject({ outcome: 'SignedIn', mustChangePassword: false });
  });

  it('nobody else gets that mail, with the same answer', async () => {
    const confirmed = await createPerson(server, { tenantId: tenant.id });
    const answers = [
      await new Browser(server).post('/account/email/resend-confirmation', { email: confirmed.userName }),
      await new Browser(server).post('/account/email/resend-confirmation', { email: newAddress() }),
      await new Browser(server).post('/account/email/resend-confirmation', { email: 'no address' }),
    ];
    expect(statusesOf(answers)).toEqual([204, 204, 204]);
    await settled();
    expect(mails().received).toEqual([]);
  });

  it('codes end after a day, and codes of other kinds or of nobody do not work', async () => {
    const email = newAddress();
    await register(new Browser(server), email);
    const code = await codeTo(email);
    const visitor = new Browser(server);
    const reset = await visitor.post('/account/password/reset', { code, newPassword: 'Other-Horse-8' });
    const [id, secret] = code.split(':');
    const wrong = [`${id}:${'A'.repeat(secret.length)}`, `${'0'.repeat(32)}:${secret}`, 'x', `${code}x`];
    const answers = [reset, ...(await Promise.all(wrong.map((text) => visitor.post('/account/email/confirm', { code: text }))))];
    expect(new Set(answers.map((answer) => `${answer.status} ${String(detailOf(answer))}`)).size).toBe(1);
    expect(answers[0].status).toBe(400);
    server.clock.advance(DAY);
    expect((await visitor.post('/account/email/confirm', { code })).status).toBe(400);
    expect((await userOf(server, email)).emailConfirmed).toBe(false);
  });
});

describe('where no mail is sent', () => {
  const server = testServer({
    Service_AppOptions__EnablePublicRegistration: 'true',
    Service_AppOptions__RequireUserEmailConfirmation: 'true',
    Service_AppOptions__DisableEmailSending: 'true',
  });

  it('accounts count as confirmed', async () => {
    await register(new Browser(server), newAddress());
    const email = newAddress();
    expect((await register(new Browser(server), email)).body).toEqual({ outcome: 'SignedIn' });
    expect((await userOf(server, email)).emailConfirmed).toBe(true);
    expect((await new Browser(server).signIn({ userName: email })).body).toMatchObject({ outcome: 'SignedIn' });
  });
});
