import { describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { SecurityEvent } from '../../../src/access/security-log/security-event.entity.js';
import { INVITE_LIFETIME_MS } from '../../../src/people/invites/activation-code.js';
import type { ResentInviteDto } from '../../../src/people/invites/invite-care.dto.js';
import type { InviteResponseDto } from '../../../src/people/invites/invite.dto.js';
import { Invite } from '../../../src/people/invites/invite.entity.js';
import type { LogonTokenResponseDto } from '../../../src/people/logon-tokens/logon-token.dto.js';
import type { UserStandingDto, UserStandingsResponseDto } from '../../../src/people/user-standing/user-standing.dto.js';
import { externalUserName } from '../../../src/people/users/external-user-name.js';
import { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { Browser, browserOf, createPerson } from '../../support/callers/browser.js';
import { callingUser, changesOf, clientOf, detailOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { at, createDevice, createUser, grant, grantAll, holder } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SUSPENDED = 'This account is suspended. Ask an administrator to let you back in.';

const server = testServer({ Service_AppOptions__EnableInteractiveBearerLogin: 'true' });
const tenant = testTenant(server);

const inTenant = () => ({ query: { tenantId: tenant.id } });
const person = (values: Partial<User> = {}): Promise<User> => createPerson(server, { tenantId: tenant.id, ...values });
const suspend = ({ id }: Pick<User, 'id'>, client = server.client()): Promise<ApiAnswer> =>
  client.put(`/account/users/${id}/suspension`, inTenant());
const lift = ({ id }: Pick<User, 'id'>): Promise<ApiAnswer> => server.client().delete(`/account/users/${id}/suspension`, inTenant());

async function standingOf({ id }: Pick<User, 'id'>): Promise<UserStandingDto> {
  const { items } = (await server.client().get('/account/users', inTenant())).as<UserStandingsResponseDto>();
  const found = items.find(({ userId }) => userId === id);
  if (found === undefined) throw new Error('The list has no such user.');
  return found;
}

async function invited(): Promise<{ readonly invite: Invite; readonly code: string }> {
  const answer = await server.client().post('/api/v1/invites', { ...inTenant(), body: { inviteeEmail: `${newGuid()}@example.org` } });
  const { id, inviteUrl } = answer.as<InviteResponseDto>();
  return { invite: await server.dataSource.manager.findOneByOrFail(Invite, { id }), code: inviteUrl.split('/').at(-1) ?? '' };
}

const look = async (code: string): Promise<number> => (await server.client({}).get(`/account/invites/${code}`)).status;

describe('the list of users’ standing', () => {
  it('shows last sign-in and state of a user who never signed in, then of one who did', async () => {
    const user = await person();
    expect(await standingOf(user)).toEqual({
      userId: user.id,
      state: 'Active',
      lastSignIn: null,
      hasAuthenticatorApp: false,
      hasPasskey: false,
      suspendedAt: null,
      lockedUntil: null,
      visitEnds: null,
      invite: null,
    });
    expect((await new Browser(server).signIn(user)).status).toBe(200);
    expect((await standingOf(user)).lastSignIn).toEqual(expect.any(String));
  });

  it('shows the authenticator app, a lock-out while it lasts, and who is invited until when', async () => {
    const lockoutEnd = new Date(Date.now() + HOUR_MS);
    expect(await standingOf(await person({ twoFactorEnabled: true, lockoutEnd }))).toMatchObject({
      state: 'Locked',
      hasAuthenticatorApp: true,
      lockedUntil: lockoutEnd.toISOString(),
    });
    expect(await standingOf(await person({ lockoutEnd: new Date(Date.now() - HOUR_MS) }))).toMatchObject({
      state: 'Active',
      lockedUntil: null,
    });
    const { invite } = await invited();
    expect(await standingOf({ id: invite.userId })).toMatchObject({
      state: 'Invited',
      invite: { id: invite.id, expiresAt: new Date(invite.createdAt.getTime() + INVITE_LIFETIME_MS).toISOString() },
    });
  });

  it('shows until when a visitor is let in, and when the visit ended', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    const body = { deviceId: device.id, tenantId: tenant.id, userCorrelationId: newGuid(), sessionExpirationMinutes: 60 };
    const answer = await server.client().post('/api/v1/logon-tokens/external', { body });
    const { deviceAccessUrl, expiresAt } = answer.as<LogonTokenResponseDto>();
    const visitor = await server.dataSource.manager.findOneByOrFail(User, { userName: externalUserName(body.userCorrelationId) });
    expect(await standingOf(visitor)).toMatchObject({ state: 'Visitor', visitEnds: expiresAt });

    const browser = new Browser(server);
    expect((await browser.get(deviceAccessUrl)).status).toBe(303);
    const { visitEnds } = await standingOf(visitor);
    expect(Date.parse(String(visitEnds))).toBeGreaterThan(Date.now() + HOUR_MS / 2);

    expect((await browser.post('/account/sign-out')).status).toBe(204);
    expect(Date.parse(String((await standingOf(visitor)).visitEnds))).toBeLessThanOrEqual(Date.now());
  });
});

describe('suspending a user', () => {
  it('ends sessions, bearer tokens and personal access tokens, until the suspension is lifted', async () => {
    const user = await person();
    const [browser, token] = [await browserOf(server, user), await clientOf(server, user)];
    const signedIn = await server
      .client({})
      .post('/api/auth/interactive-login', { body: { email: user.userName, password: 'Correct-Horse-7' } });
    const { accessToken, refreshToken } = signedIn.as<{ tokens: { accessToken: string; refreshToken: string } }>().tokens;
    const bearer = server.client({ authorization: `Bearer ${accessToken}` });
    const all = async (): Promise<number[]> =>
      [await browser.get('/api/auth/me'), await bearer.get('/api/auth/me'), await token.get('/api/auth/me')].map(({ status }) => status);
    expect(await all()).toEqual([200, 200, 200]);

    expect((await suspend(user)).status).toBe(204);
    expect(await all()).toEqual([401, 401, 401]);
    expect((await server.client({}).post('/api/auth/refresh', { body: { refreshToken } })).status).toBe(401);
    expect(await standingOf(user)).toMatchObject({ state: 'Suspended', suspendedAt: expect.any(String) });

    expect((await lift(user)).status).toBe(204);
    expect(await all()).toEqual([401, 401, 200]);
    expect(await standingOf(user)).toMatchObject({ state: 'Active', suspendedAt: null });
    expect((await new Browser(server).signIn(user)).status).toBe(200);
  });

  it('refuses every sign-in with a reason that only those read who know the password, and logs the reason', async () => {
    const user = await person();
    await suspend(user);
    const refused = await new Browser(server).signIn(user);
    expect([refused.status, detailOf(refused)]).toEqual([403, SUSPENDED]);
    expect(detailOf(await new Browser(server).signIn(user, 'Wrong-Horse-7'))).toBe('The e-mail address or the password is wrong.');
    const body = { email: user.userName, password: 'Correct-Horse-7' };
    const forBearer = await server.client({}).post('/api/auth/interactive-login', { body });
    expect([forBearer.status, detailOf(forBearer)]).toEqual([401, SUSPENDED]);
    expect(detailOf(await server.client({}).post('/api/auth/login', { body }))).toBe('NotAllowed');
    const events = await server.dataSource.manager.find(SecurityEvent, {
      where: { userId: user.id },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    expect(events.map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
      'SignInFailed: suspended',
      'SignInFailed: wrong password',
      'SignInFailed: suspended',
      'SignInFailed: suspended',
    ]);
  });

  it('ends links that the user made, for visitors and for the user', async () => {
    const user = await person();
    const device = await createDevice(server, { tenantId: tenant.id });
    await grantAll(server, holder.user(user), [Permission.DeviceLogonTokenCreate, Permission.DeviceRead], at.tenant(tenant));
    const client = await clientOf(server, user);
    const link = async (): Promise<string> => {
      const body = { deviceId: device.id, tenantId: tenant.id, userCorrelationId: newGuid(), permissions: [Permission.DeviceRead.name] };
      return (await client.post('/api/v1/logon-tokens/external', { body })).as<LogonTokenResponseDto>().deviceAccessUrl;
    };
    const [opened, unopened] = [await link(), await link()];
    const visitor = new Browser(server);
    expect((await visitor.get(opened)).status).toBe(303);
    const search = async (): Promise<number> => (await visitor.post('/api/v1/devices/search', { tenantId: tenant.id })).status;
    expect(await search()).toBe(200);

    await suspend(user);
    expect(await search()).toBe(401);
    expect((await new Browser(server).get(unopened)).status).toBe(401);
    await lift(user);
    expect((await new Browser(server).get(unopened)).status).toBe(303);
  });

  it('writes the change log once for each change, and changes nothing the second time', async () => {
    const user = await person();
    for (const act of [suspend, suspend, lift, lift]) expect((await act(user)).status).toBe(204);
    expect(await changesOf(server, user.id)).toMatchObject([
      { action: 'user-suspended', before: {}, after: { suspendedAt: expect.any(String) } },
      { action: 'user-suspension-lifted', before: { suspendedAt: expect.any(String) }, after: {} },
    ]);
  });

  it('is refused for the caller’s own account and for one that waits for its invite', async () => {
    const { user, client } = await callingUser(server, tenant, [Permission.TenantUsersWrite]);
    expect(detailOf(await suspend(user, client))).toBe('You cannot suspend your own account: ask another administrator.');
    const { invite } = await invited();
    const answer = await suspend({ id: invite.userId });
    expect([answer.status, detailOf(answer)]).toEqual([409, 'The user has not accepted the invite yet: withdraw the invite instead.']);
  });
});

describe('an open invite', () => {
  it('gets a new link, which ends the former one, and the mail is not claimed where there is none', async () => {
    const { invite, code } = await invited();
    expect(await look(code)).toBe(200);
    const answer = await server.client().post(`/account/invites/${invite.id}/resend`, { ...inTenant(), body: { lifetimeDays: 2 } });
    const { inviteUrl, expiresAt, isMailSent } = answer.as<ResentInviteDto>();
    expect(isMailSent).toBe(false);
    expect(Math.abs(Date.parse(String(expiresAt)) - Date.now() - 2 * DAY_MS)).toBeLessThan(HOUR_MS);
    expect([await look(code), await look(inviteUrl.split('/').at(-1) ?? '')]).toEqual([404, 200]);
    expect((await standingOf({ id: invite.userId })).invite).toMatchObject({ expiresAt });
    expect(await changesOf(server, invite.id)).toMatchObject([{ action: 'invite-created' }, { action: 'invite-renewed' }]);
  });

  it('is not sent again by a caller who holds less than the invited user, since the link sets the password', async () => {
    const { invite } = await invited();
    const { client } = await callingUser(server, tenant, [Permission.TenantUsersWrite]);
    await grant(server, {
      principal: holder.user({ id: invite.userId }),
      permission: Permission.TenantPermissionsWrite,
      scope: at.tenant(tenant),
    });
    const answer = await client.post(`/account/invites/${invite.id}/resend`, { ...inTenant(), body: {} });
    expect([answer.status, detailOf(answer)]).toEqual([403, expect.stringContaining('tenant.permissions.write')]);
    await server.dataSource.manager.update(Invite, { id: invite.id }, { expiresAt: new Date(Date.now() - HOUR_MS) });
    const again = await client.post('/api/v1/invites', { ...inTenant(), body: { inviteeEmail: invite.inviteeEmail } });
    expect(again.status).toBe(403);
  });

  it('does not work for longer because of a caller who holds less than the invited user, since its maker knows the link', async () => {
    const { client } = await callingUser(server, tenant, [Permission.TenantUsersWrite]);
    const setExpiry = ({ id }: Pick<Invite, 'id'>, inMs: number): Promise<ApiAnswer> =>
      client.put(`/account/invites/${id}/expiry`, { ...inTenant(), body: { expiresAt: new Date(Date.now() + inMs) } });
    const { invite, code } = await invited();
    await grant(server, {
      principal: holder.user({ id: invite.userId }),
      permission: Permission.TenantPermissionsWrite,
      scope: at.tenant(tenant),
    });
    expect((await setExpiry(invite, DAY_MS)).status).toBe(204);
    await server.dataSource.manager.update(Invite, { id: invite.id }, { expiresAt: new Date(Date.now() - HOUR_MS) });
    const answer = await setExpiry(invite, DAY_MS);
    expect([answer.status, detailOf(answer)]).toEqual([403, expect.stringContaining('tenant.permissions.write')]);
    expect(await look(code)).toBe(404);
  });

  it('works until the time that was set, also after it had expired', async () => {
    const { invite, code } = await invited();
    const setExpiry = (expiresAt: Date): Promise<ApiAnswer> =>
      server.client().put(`/account/invites/${invite.id}/expiry`, { ...inTenant(), body: { expiresAt } });
    await server.dataSource.manager.update(Invite, { id: invite.id }, { expiresAt: new Date(Date.now() - HOUR_MS) });
    expect(await look(code)).toBe(404);
    const later = new Date(Date.now() + 20 * DAY_MS);
    expect((await setExpiry(later)).status).toBe(204);
    expect(await look(code)).toBe(200);
    expect((await standingOf({ id: invite.userId })).invite).toMatchObject({ expiresAt: later.toISOString() });
    for (const wrong of [new Date(Date.now() - 1000), new Date(Date.now() + 40 * DAY_MS)])
      expect(wrongFieldsOf(await setExpiry(wrong))).toEqual(['expiresAt']);
  });
});

describe('the sign-in log of a tenant', () => {
  it('is read by part, by user and page by page, and names the client', async () => {
    const [user, other] = [await person(), await createUser(server, { tenantId: tenant.id })];
    await new Browser(server).signIn(user, 'Wrong-Horse-7');
    const browser = new Browser(server);
    await browser.signIn(user);
    await browser.post('/account/sign-out');
    const read = async (query: object): Promise<{ id: string; kind: string; client: string | null }[]> =>
      (await server.client().get('/account/security-log/tenant', { query: { ...inTenant().query, userId: user.id, ...query } })).as<{
        items: { id: string; kind: string; client: string | null }[];
      }>().items;
    const kinds = async (query: object): Promise<string[]> => (await read(query)).map(({ kind }) => kind);
    expect(await kinds({})).toEqual(['SignedOut', 'SignedIn', 'SignInFailed']);
    expect(await kinds({ part: 'SignIns' })).toEqual(['SignedIn', 'SignInFailed']);
    expect(await kinds({ part: 'Refusals' })).toEqual(['SignInFailed']);
    const [first] = await read({ part: 'SignIns', pageSize: '1' });
    expect(first.client).toBe('Firefox on Linux');
    expect(await kinds({ part: 'SignIns', pageSize: '1', after: first.id })).toEqual(['SignInFailed']);
    expect(await kinds({ userId: other.id })).toEqual([]);
  });
});
