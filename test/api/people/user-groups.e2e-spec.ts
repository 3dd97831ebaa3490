import { describe, expect, it } from 'vitest';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import type { UserGroupDetailDto, UserGroupsResponseDto } from '../../../src/people/user-groups/user-group.dto.js';
import { UserGroup, UserGroupMember } from '../../../src/people/user-groups/user-group.entity.js';
import { UserPreference } from '../../../src/people/user-preferences/user-preference.entity.js';
import type { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { callingUser, changesOf, clientOf, detailOf, wrongFieldsOf, statusesOf } from '../../support/callers/callers.js';
import { addToUserGroup, at, createTenant, createUser, createUserGroup, grant, holder } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const BASE = '/api/v1/user-groups';

const server = testServer();
const tenant = testTenant(server);
const other = testTenant(server);

const named = (of: Tenant = tenant): { readonly tenantId: string } => ({ tenantId: of.id });
const idsOf = (users: readonly Pick<User, 'id'>[]): string[] => users.map(({ id }) => id);

function create(body: object, client: ApiClient = server.client(), of = tenant): Promise<ApiAnswer> {
  return client.post(BASE, { query: named(of), body });
}

function members(method: 'POST' | 'DELETE', group: Pick<UserGroup, 'id'>, userIds: unknown, client = server.client()): Promise<ApiAnswer> {
  return client.call(method, `${BASE}/${group.id}/members`, { query: named(), body: { userIds } });
}

async function memberIds(group: Pick<UserGroup, 'id'>): Promise<string[]> {
  const rows = await server.dataSource.manager.findBy(UserGroupMember, { userGroupId: group.id });
  return rows.map(({ userId }) => userId).sort();
}

describe('groups', () => {
  it('are created, read, changed, listed by name and deleted', async () => {
    const of = await createTenant(server);
    const root = server.client();
    const created = await create({ name: 'Support', description: 'Help desk' }, root, of);
    expect(created.status).toBe(201);
    const group = created.as<UserGroupDetailDto>();
    expect(group).toEqual({
      id: expect.any(String),
      name: 'Support',
      description: 'Help desk',
      createdAt: expect.any(String),
      members: [],
    });
    const path = `${BASE}/${group.id}`;
    expect((await root.get(path, { query: named(of) })).body).toEqual(group);
    const changed = await root.put(path, { query: named(of), body: { name: 'Second line' } });
    expect([changed.status, changed.body]).toEqual([200, { ...group, name: 'Second line' }]);
    await createUserGroup(server, { tenantId: of.id, name: 'Admins' });
    const { items } = (await root.get(BASE, { query: named(of) })).as<UserGroupsResponseDto>();
    expect(items.map(({ name, memberCount }) => [name, memberCount])).toEqual([
      ['Admins', 0],
      ['Second line', 0],
    ]);
    expect((await root.delete(path, { query: named(of) })).status).toBe(204);
    expect((await root.get(path, { query: named(of) })).status).toBe(404);
    expect(await changesOf(server, group.id)).toEqual([
      { action: 'user-group-created', before: null, after: { name: 'Support', description: 'Help desk' } },
      {
        action: 'user-group-updated',
        before: { name: 'Support', description: 'Help desk' },
        after: { name: 'Second line', description: 'Help desk' },
      },
      { action: 'user-group-deleted', before: { name: 'Second line', description: 'Help desk', userIds: [] }, after: null },
    ]);
  });

  it('have unique names in their tenant, also among parallel writers', async () => {
    const name = `Group ${newGuid()}`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ name })));
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409, 409]);
    expect((await create({ name }, server.client(), other)).status).toBe(201);
    const group = await createUserGroup(server, { tenantId: tenant.id });
    const renamed = await server.client().put(`${BASE}/${group.id}`, { query: named(), body: { name } });
    expect([renamed.status, detailOf(renamed)]).toEqual([409, 'A user group with this name already exists.']);
  });

  it('are deleted with the assignments that they hold and those scoped to them, each of which is logged', async () => {
    const group = await createUserGroup(server, { tenantId: tenant.id });
    const keeper = await createUser(server, { tenantId: tenant.id });
    const rows = [
      await grant(server, { principal: holder.userGroup(group), permission: Permission.DeviceRead, scope: at.tenant(tenant) }),
      await grant(server, {
        principal: holder.userGroup(group),
        permission: Permission.TenantRead,
        scope: at.tenant(tenant),
        isEnabled: false,
      }),
      await grant(server, { principal: holder.user(keeper), permission: Permission.UserGroupAssignUsers, scope: at.userGroup(group) }),
    ];
    expect((await server.client().delete(`${BASE}/${group.id}`, { query: named() })).status).toBe(204);
    for (const row of rows) {
      expect(await server.dataSource.manager.existsBy(PermissionAssignment, { id: row.id })).toBe(false);
      expect(await changesOf(server, row.id)).toMatchObject([
        { action: 'permission-assignment-deleted', before: { principalId: row.principalId, isEnabled: row.isEnabled } },
      ]);
    }
  });
});

describe('members', () => {
  it('are added once, listed by name, and removed; calls without an effect are not logged', async () => {
    const group = await createUserGroup(server, { tenantId: tenant.id });
    const b = await createUser(server, { tenantId: tenant.id, userName: `b-${newGuid()}@example.org`, lastLogin: new Date(0) });
    const a = await createUser(server, { tenantId: tenant.id, userName: `a-${newGuid()}@example.org` });
    await server.dataSource.manager.insert(UserPreference, { id: newGuid(), principalId: a.id, name: 'user-display-name', value: 'Ada' });
    expect((await members('POST', group, [b.id, a.id.toUpperCase(), b.id])).status).toBe(204);
    expect((await members('POST', group, [a.id])).status).toBe(204);
    const detail = (await server.client().get(`${BASE}/${group.id}`, { query: named() })).as<UserGroupDetailDto>();
    expect(detail.members).toEqual([
      { userId: a.id, userName: a.userName, displayName: 'Ada', lastLogin: null },
      { userId: b.id, userName: b.userName, displayName: null, lastLogin: '1970-01-01T00:00:00.000Z' },
    ]);
    expect((await members('DELETE', group, [b.id, newGuid()])).status).toBe(204);
    expect((await members('DELETE', group, [b.id])).status).toBe(204);
    expect(await memberIds(group)).toEqual([a.id]);
    expect(await changesOf(server, group.id)).toEqual([
      {
        action: 'user-group-members-added',
        before: null,
        after: { name: group.name, count: 2, userIds: idsOf([a, b]).sort() },
      },
      { action: 'user-group-members-removed', before: { name: group.name, count: 1, userIds: [b.id] }, after: null },
    ]);
  });

  it('of another tenant or unknown ones make the whole call fail', async () => {
    const group = await createUserGroup(server, { tenantId: tenant.id });
    const own = await createUser(server, { tenantId: tenant.id });
    const foreign = await createUser(server, { tenantId: other.id });
    const bodies: unknown[] = [];
    for (const id of [foreign.id, newGuid()]) {
      const answer = await members('POST', group, [own.id, id]);
      expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, ['userIds']]);
      bodies.push(answer.body);
    }
    expect(bodies[0]).toEqual(bodies[1]);
    expect(await memberIds(group)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['text', 'x'],
    ['an id that is not a GUID', ['x']],
    ['more than a thousand', Array.from({ length: 1001 }, newGuid)],
  ])('cannot be %s', async (_what, userIds) => {
    const group = await createUserGroup(server, { tenantId: tenant.id });
    for (const method of ['POST', 'DELETE'] as const) expect(wrongFieldsOf(await members(method, group, userIds))).toEqual(['userIds']);
  });

  it('gain and lose what the group holds on their next request', async () => {
    const group = await createUserGroup(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.userGroup(group), permission: Permission.TenantUserGroupsRead, scope: at.tenant(tenant) });
    const user = await createUser(server, { tenantId: tenant.id });
    const client = await clientOf(server, user);
    const tried = async (): Promise<number> => (await client.get(BASE, { query: named() })).status;
    expect(await tried()).toBe(403);
    await members('POST', group, [user.id]);
    expect(await tried()).toBe(200);
    await members('DELETE', group, [user.id]);
    expect(await tried()).toBe(403);
    await members('POST', group, [user.id]);
    expect(await tried()).toBe(200);
    await server.client().delete(`${BASE}/${group.id}`, { query: named() });
    expect(await tried()).toBe(403);
  });

  it('can be changed by parallel writers without a failure', async () => {
    const group = await createUserGroup(server, { tenantId: tenant.id });
    const users = await Promise.all([1, 2, 3].map(() => createUser(server, { tenantId: tenant.id })));
    const answers = await Promise.all([
      ...users.map(() => members('POST', group, idsOf(users))),
      ...users.map(() => members('POST', group, idsOf([...users].reverse()))),
      ...users.map(({ id }) => members('DELETE', group, [id])),
      server.client().delete(`${BASE}/${group.id}`, { query: named() }),
      server.client().delete(`/api/v1/users/${users[0].id}`, { query: named() }),
    ]);
    for (const { status } of answers) expect([204, 400, 404]).toContain(status);
    expect(await memberIds(group)).toEqual([]);
  });
});

describe('a group that denies', () => {
  it('is joined, left and deleted only with tenant.permissions.deny', async () => {
    const group = await createUserGroup(server, { tenantId: tenant.id });
    const held = [Permission.UserGroupAssignUsers, Permission.TenantUserGroupsWrite];
    const { user, client } = await callingUser(server, tenant, held);
    const rowOf = { principal: holder.userGroup(group), permission: Permission.DeviceRead, scope: at.tenant(tenant) };
    await grant(server, { ...rowOf, effect: PermissionEffect.Deny });
    await addToUserGroup(server, group, user);
    const joining = await createUser(server, { tenantId: tenant.id });
    const refused = [
      await members('DELETE', group, [user.id], client),
      await members('POST', group, [joining.id], client),
      await client.delete(`${BASE}/${group.id}`, { query: named() }),
    ];
    expect(refused.map((answer) => [answer.status, detailOf(answer)])).toEqual(
      refused.map(() => [403, 'The group denies device.read: changing its members or deleting it requires tenant.permissions.deny.']),
    );
    expect(await memberIds(group)).toEqual([user.id]);
    await grant(server, { principal: holder.user(user), permission: Permission.TenantPermissionsDeny, scope: at.tenant(tenant) });
    expect((await members('POST', group, [joining.id], client)).status).toBe(204);
    expect((await members('DELETE', group, [user.id], client)).status).toBe(204);
    expect((await client.delete(`${BASE}/${group.id}`, { query: named() })).status).toBe(204);
  });
});
