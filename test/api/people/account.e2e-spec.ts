import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { SecurityEvent } from '../../../src/access/security-log/security-event.entity.js';
import { PERSONAL_DATA } from '../../../src/people/account/personal-tables.js';
import { PersonalAccessToken } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { Browser, browserOf, createPerson, PASSWORD } from '../../support/callers/browser.js';
import { changesOf, clientOf, statusesOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { at, createTenant, grant, holder } from '../../support/fixtures/factories.js';
import { testServerWithMail } from '../../support/setup/mailed.js';
import { testTenant } from '../../support/setup/test-server.js';

const MINUTE = 60_000;

const { server, mails, codeTo, forgetMails } = testServerWithMail();
const tenant = testTenant(server);

beforeAll(() => server.clock.stop());
beforeEach(forgetMails);

interface ListedSession {
  readonly id: string;
  readonly isCurrent: boolean;
}

const anybody = (values: Partial<User> = {}): Promise<User> => createPerson(server, { tenantId: tenant.id, ...values });
const newAddress = (): string => `new-${newGuid()}@example.org`;
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get('/account/security-log')).status === 200;
const sessionsOf = async (browser: Browser): Promise<ListedSession[]> =>
  (await browser.get('/account/sessions')).as<{ items: ListedSession[] }>().items;
const changeEmail = (browser: Browser, newEmail: string): Promise<ApiAnswer> => browser.post('/account/email/change', { newEmail });
const confirm = (browser: Browser, code: string): Promise<ApiAnswer> => browser.post('/account/email/confirm', { code });
const remove = (browser: Browser, email: string): Promise<ApiAnswer> => browser.delete('/account', { body: { email } });
const kindsOf = async ({ id }: User): Promise<string[]> => {
  const events = await server.dataSource.manager.find(SecurityEvent, { where: { userId: id }, order: { id: 'ASC' } });
  return events.map(({ kind }) => kind);
};

describe('the sessions of a user', () => {
  it('are listed with device, place and last use, and which one is the own', async () => {
    const user = await anybody();
    const browser = new Browser(server);
    await browser.signIn(user);
    server.clock.advance(MINUTE);
    await browserOf(server, user);
    const answer = await browser.get('/account/sessions');
    const { items } = answer.as<{ items: object[] }>();
    expect(items).toHaveLength(2);
    expect(items).toContainEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
      method: 'Password',
      device: 'Firefox on Linux',
      remoteAddress: '127.0.0.1',
      isCurrent: true,
    });
    expect(items.filter((item) => 'isCurrent' in item && item.isCurrent === true)).toHaveLength(1);
  });

  it('can be ended one by one', async () => {
    const user = await anybody();
    const [browser, other] = [await browserOf(server, user), await browserOf(server, user)];
    const [ending] = (await sessionsOf(browser)).filter(({ isCurrent }) => !isCurrent);
    const answers = [1, 2].map(() => browser.delete(`/account/sessions/${ending.id}`));
    expect(statusesOf(await Promise.all(answers))).toEqual([204, 404]);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    expect(await kindsOf(user)).toEqual(['SessionEnded']);
  });

  it('can be ended all but the own', async () => {
    const user = await anybody();
    const browsers = await Promise.all([1, 2, 3].map(() => browserOf(server, user)));
    expect((await browsers[1].post('/account/sessions/end-others')).body).toEqual({ count: 2 });
    expect(await Promise.all(browsers.map(isSignedIn))).toEqual([false, true, false]);
    expect(await sessionsOf(browsers[1])).toHaveLength(1);
  });

  it('can be ended however many there are', async () => {
    const user = await anybody();
    const browser = await browserOf(server, user);
    // More than a statement takes parameters.
    const count = 65_536;
    await server.dataSource.query(
      `INSERT INTO sessions SELECT copy.* FROM sessions s CROSS JOIN generate_series(1, $2::integer) n
       CROSS JOIN LATERAL jsonb_populate_record(s, jsonb_build_object('id', md5(n::text)::uuid)) copy WHERE s.user_id = $1`,
      [user.id, count],
    );
    expect((await browser.post('/account/sessions/end-others')).body).toEqual({ count });
  });

  it('of others cannot be ended', async () => {
    const [browser, other] = [await browserOf(server, await anybody()), await browserOf(server, await anybody())];
    const [foreign] = await sessionsOf(other);
    expect((await browser.delete(`/account/sessions/${foreign.id}`)).status).toBe(404);
    expect(await isSignedIn(other)).toBe(true);
  });
});

describe('the profile', () => {
  it('shows the user, and the name that others see can be changed', async () => {
    const user = await anybody();
    const browser = await browserOf(server, user);
    const expected = {
      id: user.id,
      tenantId: tenant.id,
      createdAt: user.createdAt.toISOString(),
      userName: user.userName,
      email: user.email,
      emailConfirmed: true,
      displayName: '',
      hasPassword: true,
      twoFactorEnabled: false,
    };
    expect((await browser.get('/account/profile')).body).toEqual(expected);
    const changed = await browser.put('/account/profile', { displayName: 'Anna Berg' });
    expect(changed.body).toEqual({ ...expected, displayName: 'Anna Berg' });
    expect((await browser.put('/account/profile', { displayName: '' })).body).toEqual(expected);
    expect((await browser.put('/account/profile', { displayName: '<b>' })).status).toBe(400);
  });
});

describe('another e-mail address', () => {
  it('is used once the link that was sent to it is confirmed; the former address is told', async () => {
    const user = await anybody();
    const [browser, other] = [await browserOf(server, user), await browserOf(server, user)];
    const address = newAddress();
    expect((await changeEmail(browser, ` ${address} `)).status).toBe(204);
    const code = await codeTo(address);
    expect((await browser.get('/account/profile')).body).toMatchObject({ email: user.email });
    const answers = await Promise.all([confirm(browser, code), confirm(browser, code)]);
    expect(statusesOf(answers)).toEqual([200, 400]);
    expect((await browser.get('/account/profile')).body).toMatchObject({ email: address, userName: address, emailConfirmed: true });
    expect(await isSignedIn(other)).toBe(false);
    expect((await mails().mailTo(user.userName)).subject).toBe('Your e-mail address was changed');
    expect([(await new Browser(server).signIn(user)).status, (await new Browser(server).signIn({ userName: address })).status]).toEqual([
      401, 200,
    ]);
    expect((await changesOf(server, user.id)).map(({ action, after }) => [action, after])).toEqual([
      ['user-email-changed', { userName: address, email: address }],
    ]);
    expect((await kindsOf(user)).slice(0, 2)).toEqual(['EmailChangeRequested', 'EmailChanged']);
  });

  it('ends what was mailed to the former one', async () => {
    const user = await anybody();
    const browser = await browserOf(server, user);
    await browser.post('/account/password/forgot', { email: user.userName });
    const reset = await codeTo(user.userName);
    const address = newAddress();
    await changeEmail(browser, address);
    await confirm(new Browser(server), await codeTo(address));
    expect((await browser.post('/account/password/reset', { code: reset, newPassword: 'Other-Horse-8' })).status).toBe(400);
  });

  it('is answered alike when it is taken, and its owner is told', async () => {
    const [user, owner] = [await anybody(), await anybody()];
    expect((await changeEmail(await browserOf(server, user), owner.userName)).status).toBe(204);
    expect((await mails().mailTo(owner.userName)).subject).toBe('You already have an account');
  });

  it('is refused when another account has taken it before the link is used', async () => {
    const browser = await browserOf(server, await anybody());
    const address = newAddress();
    await changeEmail(browser, address);
    const code = await codeTo(address);
    await anybody({ userName: address, normalizedUserName: address.toUpperCase(), email: address, normalizedEmail: address.toUpperCase() });
    expect((await confirm(browser, code)).status).toBe(409);
  });

  it('is asked for once a minute, and refused when it is none or the own', async () => {
    const user = await anybody();
    const browser = await browserOf(server, user);
    for (const wrong of ['ann', user.userName.toUpperCase()]) {
      const answer = await changeEmail(browser, wrong);
      expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, ['newEmail']]);
    }
    expect((await changeEmail(browser, newAddress())).status).toBe(204);
    const soon = await changeEmail(browser, newAddress());
    expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, '60']);
    server.clock.advance(MINUTE);
    expect((await changeEmail(browser, newAddress())).status).toBe(204);
  });

  it('needs a recent proof', async () => {
    const browser = await browserOf(server, await anybody());
    server.clock.advance(16 * MINUTE);
    const refused = await changeEmail(browser, newAddress());
    expect([refused.status, refused.body]).toMatchObject([403, { reason: 'StepUpRequired' }]);
    await browser.post('/account/step-up', { password: PASSWORD });
    expect((await changeEmail(browser, newAddress())).status).toBe(204);
  });
});

describe('the personal data', () => {
  it('are everything about the user, without secrets, and nothing about others', async () => {
    const [user, other] = [await anybody(), await anybody()];
    const browser = new Browser(server);
    await browser.signIn(user, 'Wrong-Horse-7');
    await browser.signIn(user);
    await new Browser(server).signIn(other);
    await clientOf(server, user);
    await grant(server, { principal: holder.user(user), permission: Permission.TenantUsersRead, scope: at.tenant(tenant) });
    await browser.put('/account/profile', { displayName: 'Anna Berg' });
    await changeEmail(browser, newAddress());
    const answer = await browser.get('/account/personal-data');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="personal-data.json"');
    const data = answer.as<Record<string, readonly object[]>>();
    expect(Object.keys(data)).toEqual(Object.keys(PERSONAL_DATA));
    expect(data['account']).toMatchObject([{ id: user.id, userName: user.userName }]);
    expect(data['preferences']).toMatchObject([{ name: 'user-display-name', value: 'Anna Berg' }]);
    for (const name of ['sessions', 'personalAccessTokens', 'permissionAssignments', 'mailedCodes'])
      expect([name, data[name]]).toEqual([name, [expect.anything()]]);
    expect(data['securityLog']).toHaveLength(4);
    const [{ secret }] = await server.dataSource.query<{ secret: string }[]>(
      `SELECT encode(hashed_secret, 'hex') AS secret FROM sessions WHERE user_id = $1`,
      [user.id],
    );
    for (const hidden of [user.passwordHash ?? '', user.securityStamp, secret, other.id, other.userName])
      expect(answer.text).not.toContain(hidden);
  });

  it('come from every table that names a user', async () => {
    const rows = await server.dataSource.query<{ table_name: string }[]>(`
      SELECT DISTINCT c.table_name::text FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.column_name IN ('user_id', 'principal_id', 'actor_principal_id')`);
    const covered = Object.values(PERSONAL_DATA).map(({ table }) => table.split(' ')[0]);
    // Present connections are no record.
    expect(rows.map(({ table_name }) => table_name).filter((name) => !covered.includes(name))).toEqual(['user_presences']);
  });
});

describe('deleting the own account', () => {
  it('ends everything of it, and tells the user by mail', async () => {
    const user = await anybody();
    const [browser, other] = [await browserOf(server, user), await browserOf(server, user)];
    const client = await clientOf(server, user);
    expect((await remove(browser, user.userName.toUpperCase())).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    expect(await isSignedIn(other)).toBe(false);
    expect((await client.get('/api/v1/personal-access-tokens')).status).toBe(401);
    expect((await new Browser(server).signIn(user)).status).toBe(401);
    expect(await server.dataSource.manager.existsBy(User, { id: user.id })).toBe(false);
    expect(await server.dataSource.manager.existsBy(PersonalAccessToken, { userId: user.id })).toBe(false);
    expect((await mails().mailTo(user.userName)).subject).toBe('Your account was deleted');
    expect((await changesOf(server, user.id)).map(({ action }) => action)).toContain('user-deleted');
    expect(await kindsOf(user)).toEqual(['AccountDeleted']);
  });

  it('needs the address once more, and a recent proof', async () => {
    const user = await anybody();
    const browser = await browserOf(server, user);
    const wrong = await remove(browser, 'somebody.else@example.org');
    expect([wrong.status, wrongFieldsOf(wrong)]).toEqual([400, ['email']]);
    server.clock.advance(16 * MINUTE);
    expect((await remove(browser, user.userName)).body).toMatchObject({ reason: 'StepUpRequired' });
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('is refused to the last administrator of a tenant', async () => {
    const own = await createTenant(server);
    const user = await anybody({ tenantId: own.id });
    await grant(server, { principal: holder.user(user), permission: Permission.TenantPermissionsWrite, scope: at.tenant(own) });
    const browser = await browserOf(server, user);
    expect((await remove(browser, user.userName)).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(true);
    const second = await anybody({ tenantId: own.id });
    await grant(server, { principal: holder.user(second), permission: Permission.TenantPermissionsWrite, scope: at.tenant(own) });
    expect((await remove(browser, user.userName)).status).toBe(204);
  });
});
