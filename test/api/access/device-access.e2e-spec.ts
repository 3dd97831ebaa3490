import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { SESSION_COOKIE } from '../../../src/access/authentication/sessions/session-cookie.js';
import { Session } from '../../../src/access/authentication/sessions/session.entity.js';
import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import type { Device } from '../../../src/devices/devices/device.entity.js';
import type { LogonTokenResponseDto } from '../../../src/people/logon-tokens/logon-token.dto.js';
import { User, UserAccountType } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { Browser, browserOf, createPerson } from '../../support/callers/browser.js';
import { detailOf, statusesOf } from '../../support/callers/callers.js';
import { whileWaiting } from '../../support/callers/while-waiting.js';
import { at, createDevice, createServiceAccountWithKey, createTenant, grant, holder } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const MINUTE = 60_000;

const server = testServer();
const tenant = testTenant(server);
let device: Device;

beforeAll(() => server.clock.stop());
beforeEach(async () => {
  device = await createDevice(server, { tenantId: tenant.id });
});

/** A link for a person of another system. */
async function linkFor(body: object = {}): Promise<LogonTokenResponseDto> {
  const answer = await server.client().post('/api/v1/logon-tokens/external', {
    body: { tenantId: tenant.id, deviceId: device.id, userCorrelationId: 'person', ...body },
  });
  return answer.as<LogonTokenResponseDto>();
}

/** Returns the ids of the devices that the browser may read, or the status of the refusal. */
const readable = async (browser: Browser): Promise<unknown> => {
  const answer = await browser.post('/api/v1/devices/search', { tenantId: tenant.id });
  return answer.status === 200 ? (answer.body as { items: Device[] }).items.map(({ id }) => id) : answer.status;
};

describe('the link of a logon token', () => {
  it('signs the browser in for its device, and leaves the token out of the address bar', async () => {
    await createDevice(server, { tenantId: tenant.id });
    const { deviceAccessUrl } = await linkFor();
    const browser = new Browser(server);
    const answer = await browser.get(deviceAccessUrl);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/device-access?deviceId=${device.id}`]);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/; HttpOnly; SameSite=Lax$/)]);
    expect(await readable(browser)).toEqual([device.id]);
  });

  it('works once, also when it is opened several times at once', async () => {
    const { deviceAccessUrl } = await linkFor();
    const answers = await Promise.all(Array.from({ length: 6 }, () => new Browser(server).get(deviceAccessUrl)));
    expect(statusesOf(answers)).toEqual([303, 401, 401, 401, 401, 401]);
    const again = await new Browser(server).get(deviceAccessUrl);
    expect([again.status, again.headers.getSetCookie()]).toEqual([401, []]);
    expect(again.text).toContain('This link does not work');
  });

  it('is not used up by a browser that looks ahead', async () => {
    const { deviceAccessUrl } = await linkFor();
    const browser = new Browser(server);
    expect((await browser.call('HEAD', deviceAccessUrl)).status).toBe(204);
    expect((await browser.get(deviceAccessUrl, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(204);
    expect((await browser.get(deviceAccessUrl)).status).toBe(303);
  });

  it('opens nothing without its device, for another one, with another secret, when it has expired, or when its tenant is gone', async () => {
    const [{ token }, late] = [await linkFor(), await linkFor({ expirationMinutes: 1 })];
    const doomed = await createTenant(server);
    const itsDevice = await createDevice(server, { tenantId: doomed.id });
    const orphaned = await linkFor({ tenantId: doomed.id, deviceId: itsDevice.id });
    await server.client().delete(`/api/v1/tenants/${doomed.id}`);
    server.clock.advance(MINUTE);
    const open = async (query: object): Promise<unknown> => {
      const browser = new Browser(server);
      const { status } = await browser.get('/device-access', { query: { ...query } });
      return [status, browser.cookies.size];
    };
    expect(await open({ logonToken: token })).toEqual([400, 0]);
    expect(await open({ deviceId: 'device', logonToken: token })).toEqual([400, 0]);
    expect(await open({ deviceId: newGuid(), logonToken: token })).toEqual([401, 0]);
    expect(await open({ deviceId: device.id, logonToken: `${token}x` })).toEqual([401, 0]);
    expect(await open({ deviceId: device.id, logonToken: 'nonsense' })).toEqual([401, 0]);
    expect(await open({ deviceId: device.id, logonToken: late.token })).toEqual([401, 0]);
    expect(await open({ deviceId: itsDevice.id, logonToken: orphaned.token })).toEqual([401, 0]);
    expect(await open({ deviceId: device.id, logonToken: token })).toEqual([303, 1]);
  });

  it('is nothing for programs without a token, and opens nothing with two', async () => {
    const { token } = await linkFor();
    expect((await new Browser(server).get('/device-access', { query: { deviceId: device.id } })).body).toMatchObject({ status: 404 });
    const twice = await new Browser(server).get(`/device-access?deviceId=${device.id}&logonToken=${token}&LogonToken=${token}`);
    expect([twice.status, twice.headers.getSetCookie()]).toEqual([401, []]);
  });

  it('asks before it ends the session of another user, and ends it then', async () => {
    const user = await createPerson(server, { tenantId: tenant.id });
    const browser = await browserOf(server, user);
    const { deviceAccessUrl } = await linkFor();
    const asked = await browser.get(deviceAccessUrl);
    expect([asked.status, asked.headers.getSetCookie()]).toEqual([200, []]);
    expect(asked.text).toContain('<form method="post">');
    expect(asked.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(asked.headers.get('referrer-policy')).toBe('same-origin');
    expect(await server.dataSource.manager.countBy(Session, { userId: user.id })).toBe(1);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const foreign = await browser.call('POST', deviceAccessUrl, { headers: { ...form, origin: 'https://evil.example' } });
    expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([403, []]);
    const opened = await browser.call('POST', deviceAccessUrl, { headers: { ...form, origin: server.url } });
    expect([opened.status, opened.headers.get('location')]).toEqual([303, `/device-access?deviceId=${device.id}`]);
    expect(await server.dataSource.manager.countBy(Session, { userId: user.id })).toBe(0);
    expect(await readable(browser)).toEqual([device.id]);
  });

  it('asks before it ends the session in which its own user signed in, which can do more', async () => {
    const user = await createPerson(server, { tenantId: tenant.id });
    const browser = await browserOf(server, user);
    const body = { tenantId: tenant.id, deviceId: device.id, userId: user.id };
    const { deviceAccessUrl } = (await server.client().post('/api/v1/logon-tokens/user', { body })).as<LogonTokenResponseDto>();
    const asked = await browser.get(deviceAccessUrl);
    expect([asked.status, asked.headers.getSetCookie()]).toEqual([200, []]);
    expect((await browser.get('/account/profile')).status).toBe(200);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: server.url };
    expect((await browser.call('POST', deviceAccessUrl, { headers })).status).toBe(303);
    expect((await browser.get('/account/profile')).status).toBe(403);
    expect(await server.dataSource.manager.countBy(Session, { userId: user.id })).toBe(1);
  });

  it('is refused with a page when its user is suspended while it is opened', async () => {
    const userCorrelationId = newGuid();
    const { deviceAccessUrl } = await linkFor({ userCorrelationId });
    const suspend = `UPDATE users SET suspended_at = now() WHERE user_name = 'ext-${userCorrelationId}'`;
    const answer = await whileWaiting(server, suspend, () => new Browser(server).get(deviceAccessUrl));
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
    expect(answer.text).toContain('This link does not work');
  });

  it('does not ask where a link has let its own user in, nor for a link that does not work', async () => {
    const browser = new Browser(server);
    await browser.get((await linkFor()).deviceAccessUrl);
    const second = (await linkFor()).deviceAccessUrl;
    expect((await browser.get(second)).status).toBe(303);
    expect((await browser.get(second)).status).toBe(401);
    expect((await browser.call('POST', second)).status).toBe(401);
  });
});

describe('the session of a logon token', () => {
  async function visitorOf(body: object = {}): Promise<Browser> {
    const browser = new Browser(server);
    await browser.get((await linkFor(body)).deviceAccessUrl);
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(true);
    return browser;
  }

  it('ends after its own time, not after that of other sessions', async () => {
    const browser = await visitorOf({ sessionExpirationMinutes: 30 });
    server.clock.advance(29 * MINUTE);
    expect(await readable(browser)).toEqual([device.id]);
    server.clock.advance(MINUTE);
    expect(await readable(browser)).toBe(401);
  });

  it('ends when the key expires that made the token', async () => {
    const expiresAt = new Date(server.clock.milliseconds() + 10 * MINUTE);
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id }, { expiresAt });
    const rights = [Permission.DeviceLogonTokenCreate, Permission.DeviceRead];
    for (const permission of rights)
      await grant(server, { principal: holder.serviceAccount(account), permission, scope: at.tenant(tenant) });
    const made = await server.client({ 'x-api-key': key }).post('/api/v1/logon-tokens/external', {
      body: {
        tenantId: tenant.id,
        deviceId: device.id,
        userCorrelationId: 'person',
        sessionExpirationMinutes: 30,
        permissions: ['device.read'],
      },
    });
    const browser = new Browser(server);
    const answer = await browser.get(made.as<LogonTokenResponseDto>().deviceAccessUrl);
    expect(answer.status).toBe(303);
    server.clock.advance(10 * MINUTE - 1);
    expect(await readable(browser)).toEqual([device.id]);
    server.clock.advance(1);
    expect(await readable(browser)).toBe(401);
  });

  it('may not change the account of the user whom it acts as', async () => {
    const user = await createPerson(server, { tenantId: tenant.id });
    const answer = await server.client().post('/api/v1/logon-tokens/user', {
      body: { tenantId: tenant.id, deviceId: device.id, userId: user.id },
    });
    const browser = new Browser(server);
    await browser.get(answer.as<LogonTokenResponseDto>().deviceAccessUrl);
    expect((await browser.post('/account/step-up', { password: 'Correct-Horse-7' })).status).toBe(403);
    const token = { name: 'mine', permissionMode: 'InheritOwner' };
    expect((await browser.post('/api/v1/personal-access-tokens', token, { query: { tenantId: tenant.id } })).status).toBe(403);
  });

  it('reads and keeps nothing that is personal about that user', async () => {
    const user = await createPerson(server, { tenantId: tenant.id });
    const owner = await browserOf(server, user);
    const inTenant = { query: { tenantId: tenant.id } };
    const stored = (browser: Browser) => browser.get('/api/v1/user-storage/layout', inTenant);
    const store = (browser: Browser, value: string) => browser.post('/api/v1/user-storage', { key: 'layout', value }, inTenant);
    const preferences = async (browser: Browser) => (await browser.get('/api/v1/user-preferences', inTenant)).body;
    expect((await store(owner, 'mine')).status).toBe(200);
    const answer = await server.client().post('/api/v1/logon-tokens/user', {
      body: { tenantId: tenant.id, deviceId: device.id, userId: user.id },
    });
    const visitor = new Browser(server);
    await visitor.get(answer.as<LogonTokenResponseDto>().deviceAccessUrl);
    expect((await stored(visitor)).text).not.toContain('mine');
    expect((await store(visitor, 'theirs')).status).toBe(200);
    expect((await stored(visitor)).body).toMatchObject({ value: 'theirs' });
    expect((await stored(owner)).body).toMatchObject({ value: 'mine' });
    const before = await preferences(owner);
    await visitor.call('PUT', '/api/v1/user-preferences', { ...inTenant, body: { userDisplayName: 'The boss' } });
    expect([await preferences(owner), await preferences(visitor)]).toEqual([
      before,
      expect.objectContaining({ userDisplayName: 'The boss' }),
    ]);
    for (const path of ['/account/security-log', '/account/sessions', '/account/personal-data', '/account/passkeys', '/account/profile']) {
      expect([path, (await visitor.get(path)).status]).toEqual([path, 403]);
    }
    const passwords = { currentPassword: 'Correct-Horse-7', newPassword: 'Correct-Horse-8' };
    for (const path of ['/account/password', '/api/auth/change-password']) {
      expect([path, (await visitor.post(path, passwords)).status]).toEqual([path, 403]);
    }
    await visitor.post('/account/sign-out');
    const [{ count }] = await server.dataSource.query<[{ count: string }]>('SELECT count(*) FROM user_storage_items WHERE value = $1', [
      'theirs',
    ]);
    expect(count).toBe('0');
  });

  it('makes no tokens, and does nothing that the maker of its token may not do any more', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const principal = holder.serviceAccount(account);
    for (const permission of [Permission.DeviceLogonTokenCreate, Permission.DeviceRead]) {
      await grant(server, { principal, permission, scope: at.tenant(tenant) });
    }
    const body = { tenantId: tenant.id, deviceId: device.id, userCorrelationId: 'person', permissions: ['device.logon-token.create'] };
    const made = await server.client({ 'x-api-key': key }).post('/api/v1/logon-tokens/external', { body });
    const browser = new Browser(server);
    await browser.get(made.as<LogonTokenResponseDto>().deviceAccessUrl);
    const more = await browser.post('/api/v1/logon-tokens/external', { ...body, permissions: null });
    expect([more.status, detailOf(more)]).toEqual([403, 'Your link opens one device only. To do this, sign in to your account.']);
    expect(await readable(browser)).toEqual([device.id]);
    await grant(server, { principal, permission: Permission.DeviceRead, scope: at.device(device), effect: PermissionEffect.Deny });
    expect(await readable(browser)).toEqual([]);
    expect((await browser.get(`/api/v1/devices/${device.id}`)).status).toBe(403);
  });

  it('leaves the ids of the other system in the change log, by which it is searched', async () => {
    const permissions = ['device.read', 'device.alias.write'];
    const browser = await visitorOf({ userCorrelationId: 'auth0|7', sessionCorrelationId: 'ticket-20417', permissions });
    const renamed = await browser.call('PATCH', `/api/v1/devices/${device.id}/alias`, { body: { deviceId: device.id, alias: 'Till 3' } });
    expect(renamed.status).toBe(200);
    const search = async (correlationId: string): Promise<unknown> => {
      const query = { tenantId: tenant.id, correlationId };
      const { items } = (await server.client().get('/api/v1/authorization-change-logs', { query })).as<{
        items: AuthorizationChangeLog[];
      }>();
      return items.map(({ actionType, userCorrelationId, sessionCorrelationId }) => [actionType, userCorrelationId, sessionCorrelationId]);
    };
    const found = [
      ['device-alias-updated', 'auth0|7', 'ticket-20417'],
      ['logon-token-redeemed', 'auth0|7', 'ticket-20417'],
    ];
    expect(await search('ticket-20417')).toEqual(found);
    expect(await search('auth0|7')).toEqual(found);
    expect(await search('auth0')).toEqual([]);
  });

  it('counts as a sign-in of its user, from which inactivity counts', async () => {
    const { userId } = await server.dataSource.manager
      .findOneByOrFail(AuthorizationChangeLog, { actionType: 'logon-token-redeemed' })
      .then(({ afterJson }) => JSON.parse(afterJson ?? '{}') as { userId: string });
    const user = await server.dataSource.manager.findOneByOrFail(User, { id: userId });
    expect([user.accountType, user.lastLogin]).toEqual([UserAccountType.ExternalUser, expect.any(Date)]);
  });
});
