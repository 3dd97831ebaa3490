import { describe, expect, it } from 'vitest';
import { verify } from '@node-rs/argon2';

import { permissionPresets } from '../../../src/access/authorization/permissions/permission-presets.js';
import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { UserPreference } from '../../../src/people/user-preferences/user-preference.entity.js';
import type { AdminResetPasswordResponseDto, UserResponseDto, UsersResponseDto } from '../../../src/people/users/user.dto.js';
import { User, UserAccountType } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { callingUser, changesOf, clientOf, detailOf, wrongFieldsOf, statusesOf } from '../../support/callers/callers.js';
import {
  addToUserGroup,
  at,
  createPersonalAccessToken,
  createTenant,
  createUser,
  createUserGroup,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const BASE = '/api/v1/users';
const SELF_SERVICE = ['personal-access-token.self.read', 'personal-access-token.self.write'];

const server = testServer();
const tenant = testTenant(server);
const other = testTenant(server);

const named = (of: Tenant = tenant): { readonly tenantId: string } => ({ tenantId: of.id });
const newAddress = (): string => `user-${newGuid()}@example.org`;

function create(body: object, client: ApiClient = server.client(), of = tenant): Promise<ApiAnswer> {
  return client.post(BASE, { query: named(of), body });
}

async function list(of: Tenant): Promise<UserResponseDto[]> {
  return (await server.client().get(BASE, { query: named(of) })).as<UsersResponseDto>().items;
}

function stored(id: string): Promise<User> {
  return server.dataSource.manager.findOneByOrFail(User, { id });
}

describe('creating', () => {
  it('creates an account with the Self Service permissions, whose address is its name, and lists it', async () => {
    const of = await createTenant(server);
    const email = newAddress();
    const answer = await create({ userName: 'ann', email: ` ${email} `, password: 'Correct horse 1' }, server.client(), of);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      userName: email,
      email,
      createdAt: expect.any(String),
      permissions: SELF_SERVICE,
      displayName: null,
    });
    expect(await list(of)).toEqual([answer.body]);
    const { id } = answer.as<UserResponseDto>();
    const { passwordHash, requirePasswordChange, accountType } = await stored(id);
    expect({ requirePasswordChange, accountType }).toEqual({ requirePasswordChange: false, accountType: 'User' });
    expect(await verify(passwordHash ?? '', 'Correct horse 1')).toBe(true);
    const changes = await changesOf(server, id);
    expect(changes).toEqual([
      { action: 'user-created', before: null, after: { userName: email, email, accountType: 'User', hasPassword: true, presets: [] } },
      { action: 'permission-assignments-seeded', before: null, after: { principalKind: 'User', count: 2, presets: ['Self Service'] } },
    ]);
    expect(JSON.stringify(changes)).not.toMatch(/horse|argon2/);
  });

  it('uses the user name as the address of an account without one, and creates accounts without a password', async () => {
    const userName = newAddress();
    const { id } = (await create({ userName, email: '  ' })).as<UserResponseDto>();
    expect(await stored(id)).toMatchObject({ userName, email: userName, passwordHash: null });
  });

  it.each<[string, object, string]>([
    ['a blank user name', { userName: ' ' }, 'userName'],
    ['a user name that is not an address', { userName: 'ann' }, 'userName'],
    ['an address with a space', { email: 'ann lee@example.org' }, 'email'],
    ['an address with a line break', { email: 'ann@example.org\r\nBcc: b@example.org' }, 'email'],
    ['an address that is too long', { email: `${'a'.repeat(250)}@example.org` }, 'email'],
    ['a short password', { password: 'Abcde12' }, 'password'],
    ['a password without a digit', { password: 'Abcdefgh' }, 'password'],
    ['a password without a capital', { password: 'abcdefg1' }, 'password'],
    ['a password without a small letter', { password: 'ABCDEFG1' }, 'password'],
    ['a password that is too long', { password: `Aa1${'x'.repeat(98)}` }, 'password'],
    ['an empty password', { password: '' }, 'password'],
    ['an unknown preset', { presetNames: ['Self Service', 'Emperor'] }, 'presetNames'],
    ['too many presets', { presetNames: Array.from({ length: 101 }, () => 'Self Service') }, 'presetNames'],
  ])('refuses %s', async (_what, wrong, field) => {
    const userName = newAddress();
    const answer = await create({ userName, ...wrong });
    expect(answer.status).toBe(400);
    expect(wrongFieldsOf(answer)).toEqual([field]);
    expect(await server.dataSource.manager.existsBy(User, { userName })).toBe(false);
  });

  it('names the existing presets when it refuses an unknown one', async () => {
    const answer = await create({ userName: newAddress(), presetNames: ['Emperor'] });
    expect(answer.text).toContain('There is no preset');
    for (const { name } of permissionPresets) expect(answer.text).toContain(name);
  });

  it('lists every rule that a password breaks', async () => {
    const answer = await create({ userName: newAddress(), password: 'abc' });
    expect(answer.body).toMatchObject({
      errors: { password: [/8 characters/, /upper-case/, /digit/].map((what) => expect.stringMatching(what)) },
    });
  });

  it('refuses a name that exists anywhere on the server, in any letter case; of parallel calls one succeeds', async () => {
    const userName = newAddress();
    const answers = await Promise.all([tenant, other, tenant, other, tenant].map((of) => create({ userName }, server.client(), of)));
    expect(statusesOf(answers)).toEqual([201, 400, 400, 400, 400]);
    const late = await create({ userName: userName.toUpperCase() }, server.client(), other);
    expect(late.status).toBe(400);
    expect(late.body).toMatchObject({ errors: { userName: ['A user with this name or e-mail address already exists.'] } });
  });

  it('refuses an address that a user with another name has', async () => {
    const email = newAddress();
    await createUser(server, { tenantId: other.id, userName: `ext-${newGuid()}`, email, normalizedEmail: email.toUpperCase() });
    expect(wrongFieldsOf(await create({ userName: 'x', email }))).toEqual(['email']);
  });

  it('grants presets', async () => {
    const { id, permissions } = (
      await create({ userName: newAddress(), presetNames: ['agent installer', 'Server Administrator'] })
    ).as<UserResponseDto>();
    expect(permissions).toEqual(expect.arrayContaining([...SELF_SERVICE, 'agent.install', 'server.permissions.write']));
    expect((await list(tenant)).find((user) => user.id === id)?.permissions.sort()).toEqual(permissions);
    expect((await changesOf(server, id))[1]).toMatchObject({
      after: { presets: ['Self Service', 'Agent Installer', 'Server Administrator'] },
    });
  });
});

describe('presets and the rights of the caller that creates a user', () => {
  const { TenantUsersWrite, TenantPermissionsWrite, TenantPermissionsDeny, ServerPermissionsWrite } = Permission;
  it.each([
    { preset: 'Self Service', held: [], missing: null },
    { preset: 'Agent Installer', held: [], missing: TenantPermissionsWrite },
    { preset: 'Agent Installer', held: [TenantPermissionsWrite], missing: null },
    { preset: 'Agent Installer', held: [ServerPermissionsWrite], missing: null },
    { preset: 'Tenant Administrator', held: [TenantPermissionsWrite], missing: TenantPermissionsDeny },
    { preset: 'Tenant Administrator', held: [TenantPermissionsWrite, TenantPermissionsDeny], missing: null },
    { preset: 'Tenant Administrator', held: [ServerPermissionsWrite], missing: null },
    { preset: 'Server Administrator', held: [TenantPermissionsWrite, TenantPermissionsDeny], missing: ServerPermissionsWrite },
    { preset: 'Server Administrator', held: [ServerPermissionsWrite], missing: null },
  ])('$preset, with $held.length of the rights, lacks $missing.name', async ({ preset, held, missing }) => {
    const { client } = await callingUser(server, tenant, [TenantUsersWrite, ...held]);
    const userName = newAddress();
    const answer = await create({ userName, presetNames: [preset] }, client);
    expect(answer.status).toBe(missing === null ? 201 : 403);
    if (missing === null) return;
    expect(detailOf(answer)).toBe(`Creating a user with the preset ${preset} requires ${missing.name}.`);
    expect(await server.dataSource.manager.existsBy(User, { userName })).toBe(false);
  });
});

describe('listing', () => {
  it('is ordered by name, and shows display names and only the user’s own enabled Allow assignments', async () => {
    const of = await createTenant(server);
    const second = await createUser(server, { tenantId: of.id, userName: 'b@example.org' });
    const first = await createUser(server, { tenantId: of.id, userName: 'a@example.org', accountType: UserAccountType.ExternalUser });
    const group = await createUserGroup(server, { tenantId: of.id });
    await addToUserGroup(server, group, second);
    await grant(server, { principal: holder.userGroup(group), permission: Permission.AgentInstall, scope: at.tenant(of) });
    const principal = holder.user(second);
    await grant(server, { principal, permission: Permission.DeviceRead, scope: at.tenant(of) });
    await grant(server, { principal, permission: Permission.ServerTenantsRead, scope: at.server });
    await grant(server, { principal, permission: Permission.TenantRead, scope: at.tenant(of), isEnabled: false });
    await server.dataSource.manager.insert(UserPreference, {
      id: newGuid(),
      principalId: second.id,
      name: 'user-display-name',
      value: 'Bea',
    });
    expect((await list(of)).map(({ id, displayName, permissions }) => ({ id, displayName, permissions }))).toEqual([
      { id: first.id, displayName: null, permissions: [] },
      { id: second.id, displayName: 'Bea', permissions: ['device.read', 'server.tenants.read'] },
    ]);
    expect(await list(await createTenant(server))).toEqual([]);
  });
});

describe('deleting', () => {
  it('also deletes tokens, memberships and assignments, logs them, and takes effect with the next request', async () => {
    const { user, client } = await callingUser(server, tenant, [Permission.TenantUsersRead]);
    const { token } = await createPersonalAccessToken(server, user);
    const group = await createUserGroup(server, { tenantId: tenant.id });
    await addToUserGroup(server, group, user);
    const own = await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.tenant(tenant) });
    const ofToken = await grant(server, {
      principal: holder.personalAccessToken(token),
      permission: Permission.DeviceRead,
      scope: at.tenant(tenant),
    });
    expect((await client.get(BASE, { query: named() })).status).toBe(200);
    expect((await server.client().delete(`${BASE}/${user.id}`, { query: named() })).status).toBe(204);
    expect((await client.get(BASE, { query: named() })).status).toBe(401);
    for (const principalId of [user.id, token.id]) {
      expect(await server.dataSource.manager.countBy(PermissionAssignment, { principalId })).toBe(0);
    }
    expect(await changesOf(server, own.id)).toMatchObject([
      { action: 'permission-assignment-deleted', before: { principalId: user.id, permissionName: 'device.read', isEnabled: true } },
    ]);
    expect(await changesOf(server, ofToken.id)).toMatchObject([
      { action: 'permission-assignment-deleted', before: { principalId: token.id } },
    ]);
    const personalAccessTokens = expect.arrayContaining([{ id: token.id, name: token.name }]);
    expect(await changesOf(server, user.id)).toMatchObject([
      { action: 'user-deleted', before: { userName: user.userName, personalAccessTokens, userGroupIds: [group.id] } },
    ]);
    expect((await server.client().delete(`${BASE}/${user.id}`, { query: named() })).status).toBe(404);
  });

  it('answers 400 for oneself, and 404 for users of other tenants', async () => {
    const { user, client } = await callingUser(server, tenant, [Permission.TenantUsersDelete]);
    const self = await client.delete(`${BASE}/${user.id}`, { query: named() });
    expect([self.status, detailOf(self)]).toEqual([400, 'You cannot delete your own account here. Ask another administrator.']);
    const foreign = await createUser(server, { tenantId: other.id });
    const [known, unknown] = [
      await client.delete(`${BASE}/${foreign.id}`, { query: named() }),
      await client.delete(`${BASE}/${newGuid()}`, { query: named() }),
    ];
    expect([known.status, known.body]).toEqual([404, unknown.body]);
    expect((await stored(foreign.id)).id).toBe(foreign.id);
  });

  it('succeeds once when parallel calls delete the same user', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const answers = await Promise.all([1, 2, 3, 4].map(() => server.client().delete(`${BASE}/${user.id}`, { query: named() })));
    expect(statusesOf(answers)).toEqual([204, 404, 404, 404]);
  });
});

describe('resetting a password', () => {
  const reset = (user: Pick<User, 'id'>, client = server.client()): Promise<ApiAnswer> =>
    client.post(`${BASE}/${user.id}/reset-password`, { query: named() });

  it('answers a new password that the user must change, and ends a lock-out', async () => {
    const lockoutEnd = new Date(server.clock.milliseconds() + 60_000);
    const user = await createUser(server, { tenantId: tenant.id, lockoutEnd, accessFailedCount: 5 });
    const client = await clientOf(server, user);
    expect((await client.get('/api/v1/server-alert')).status).toBe(401);
    const answer = await reset(user);
    expect(answer.status).toBe(200);
    const { temporaryPassword } = answer.as<AdminResetPasswordResponseDto>();
    expect(temporaryPassword).toMatch(/^[A-Za-z2-9]{20}$/);
    const after = await stored(user.id);
    expect(after).toMatchObject({ requirePasswordChange: true, lockoutEnd: null, accessFailedCount: 0 });
    expect(after.securityStamp).not.toBe(user.securityStamp);
    expect(await verify(after.passwordHash ?? '', temporaryPassword)).toBe(true);
    expect((await client.get('/api/v1/server-alert')).status).not.toBe(401);
    const changes = await changesOf(server, user.id);
    expect(changes).toMatchObject([
      { action: 'user-password-reset', before: { hasPassword: false }, after: { hasPassword: true, requirePasswordChange: true } },
    ]);
    expect(JSON.stringify(changes)).not.toContain(temporaryPassword);
  });

  it('refuses external users, and answers 404 for users of other tenants', async () => {
    const external = await createUser(server, { tenantId: tenant.id, accountType: UserAccountType.ExternalUser });
    expect((await reset(external)).status).toBe(400);
    expect((await stored(external.id)).passwordHash).toBeNull();
    const foreign = await reset(await createUser(server, { tenantId: other.id }));
    expect([foreign.status, foreign.body]).toEqual([404, (await reset({ id: newGuid() })).body]);
  });
});
