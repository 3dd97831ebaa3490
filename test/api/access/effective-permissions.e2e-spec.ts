import { describe, expect, it } from 'vitest';

import { Permission, PermissionEffect, type PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import type { EffectivePermissionQueryResponseDto } from '../../../src/access/permission-assignments/effective/effective-permission.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { callingUser, detailOf, wrongFieldsOf } from '../../support/callers/callers.js';
import {
  addToUserGroup,
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createLogonToken,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createUser,
  createUserGroup,
  grant,
  holder,
  type Holder,
  type Scope,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const server = testServer();
const tenant = testTenant(server);
const other = testTenant(server);

type Query = Record<string, string | undefined>;

function ask(principalId: string, query: Query, client: ApiClient = server.client()): Promise<ApiAnswer> {
  return client.get(`/api/v1/effective-permissions/${principalId}`, { query: { tenantId: tenant.id, ...query } });
}

async function effective(
  principal: Holder,
  permission: PermissionDefinition,
  scope: Scope,
  client?: ApiClient,
): Promise<EffectivePermissionQueryResponseDto> {
  const query = { principalKind: principal.kind, permissionName: permission.name, scopeKind: scope.scopeKind };
  const answer = await ask(principal.id, { ...query, ...(scope.scopeId === null ? {} : { scopeId: scope.scopeId }) }, client);
  return answer.as<EffectivePermissionQueryResponseDto>();
}

async function freshUser(): Promise<Holder> {
  return holder.user(await createUser(server, { tenantId: tenant.id }));
}

const NOTHING = { isAllowed: false, denyReason: 'No assignment allows it.', decidingAssignment: null };

describe('the answer', () => {
  it('names the assignment that allows, whatever its scope around the device', async () => {
    const customer = await createCustomer(server, { tenantId: tenant.id });
    const group = await createDeviceGroup(server, { tenantId: tenant.id });
    const device = await createDevice(server, { tenantId: tenant.id, customerId: customer.id, groups: [group] });
    const elsewhere = await createDevice(server, { tenantId: tenant.id });
    for (const scope of [at.device(device), at.customer(customer), at.deviceGroup(group), at.tenant(tenant)]) {
      const principal = await freshUser();
      const row = await grant(server, { principal, permission: Permission.DeviceRead, scope });
      const { scopeKind, scopeId } = scope;
      expect(await effective(principal, Permission.DeviceRead, at.device(device))).toEqual({
        isAllowed: true,
        denyReason: null,
        decidingAssignment: { assignmentId: row.id, effect: 'Allow', scopeKind, scopeId, throughUserGroupId: null },
      });
      const isWide = scope.scopeKind === at.tenant(tenant).scopeKind;
      expect((await effective(principal, Permission.DeviceRead, at.device(elsewhere))).isAllowed).toBe(isWide);
      expect((await effective(principal, Permission.DeviceRead, at.tenant(tenant))).isAllowed).toBe(isWide);
      expect(await effective(principal, Permission.DeviceDelete, at.device(device))).toEqual(NOTHING);
    }
  });

  it('names the winning Deny, at any scope and through any group', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    const user = await createUser(server, { tenantId: tenant.id });
    const group = await createUserGroup(server, { tenantId: tenant.id });
    await addToUserGroup(server, group, user);
    await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.device(device) });
    const deny = await grant(server, {
      principal: holder.userGroup(group),
      permission: Permission.DeviceRead,
      scope: at.tenant(tenant),
      effect: PermissionEffect.Deny,
    });
    const decidingAssignment = { assignmentId: deny.id, effect: 'Deny', scopeKind: 'Tenant', scopeId: tenant.id };
    expect(await effective(holder.user(user), Permission.DeviceRead, at.device(device))).toEqual({
      isAllowed: false,
      denyReason: 'An assignment of a user group at Tenant scope denies it.',
      decidingAssignment: { ...decidingAssignment, throughUserGroupId: group.id },
    });
    expect(await effective(holder.userGroup(group), Permission.DeviceRead, at.device(device))).toEqual({
      isAllowed: false,
      denyReason: 'An assignment at Tenant scope denies it.',
      decidingAssignment: { ...decidingAssignment, throughUserGroupId: null },
    });
  });

  it('follows writes at once, and ignores disabled assignments', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const group = await createUserGroup(server, { tenantId: tenant.id });
    const principal = holder.user(user);
    const scope = at.tenant(tenant);
    expect(await effective(principal, Permission.TenantRead, scope)).toEqual(NOTHING);
    const query = { tenantId: tenant.id };
    const body = { principalKind: 'User', principalId: user.id, permissionName: 'tenant.read', effect: 'Allow', scopeKind: 'Tenant' };
    const { id } = (await server.client().post('/api/v1/permission-assignments', { query, body })).as<{ id: string }>();
    expect((await effective(principal, Permission.TenantRead, scope)).isAllowed).toBe(true);
    await server.client().put(`/api/v1/permission-assignments/${id}`, { query, body: { ...body, isEnabled: false } });
    expect(await effective(principal, Permission.TenantRead, scope)).toEqual(NOTHING);
    await grant(server, { principal: holder.userGroup(group), permission: Permission.TenantRead, scope });
    const members = `/api/v1/user-groups/${group.id}/members`;
    await server.client().post(members, { query, body: { userIds: [user.id] } });
    expect((await effective(principal, Permission.TenantRead, scope)).decidingAssignment?.throughUserGroupId).toBe(group.id);
    await server.client().delete(members, { query, body: { userIds: [user.id] } });
    expect(await effective(principal, Permission.TenantRead, scope)).toEqual(NOTHING);
  });

  it('covers every kind of scope', async () => {
    const principal = await freshUser();
    const scopes = [
      [Permission.ServerTenantsRead, at.server],
      [Permission.TenantRead, at.tenant(tenant)],
      [Permission.DeviceRead, at.customer(await createCustomer(server, { tenantId: tenant.id }))],
      [Permission.DeviceGroupAssignDevices, at.deviceGroup(await createDeviceGroup(server, { tenantId: tenant.id }))],
      [Permission.UserGroupAssignUsers, at.userGroup(await createUserGroup(server, { tenantId: tenant.id }))],
    ] as const;
    for (const [permission, scope] of scopes) {
      expect(await effective(principal, permission, scope)).toEqual(NOTHING);
      await grant(server, { principal, permission, scope });
      expect((await effective(principal, permission, scope)).isAllowed).toBe(true);
    }
  });

  it('hides assignments of the server from callers who may not see them', async () => {
    const principal = await freshUser();
    await grant(server, { principal, permission: Permission.ServerTenantsRead, scope: at.server });
    const reader = await callingUser(server, tenant, [Permission.TenantPermissionsRead]);
    const hidden = { isAllowed: true, denyReason: null, decidingAssignment: null };
    expect(await effective(principal, Permission.ServerTenantsRead, at.server, reader.client)).toEqual(hidden);
    const seeing = await callingUser(server, tenant, [Permission.TenantPermissionsRead, Permission.ServerPermissionsRead]);
    expect((await effective(principal, Permission.ServerTenantsRead, at.server, seeing.client)).decidingAssignment).not.toBeNull();
  });

  it('is negative for a permission that does not exist', async () => {
    const { id } = await freshUser();
    const answer = await ask(id, { principalKind: 'user', permissionName: 'device.fly', scopeKind: 'Tenant' });
    expect([answer.status, answer.body]).toEqual([
      200,
      { isAllowed: false, denyReason: 'There is no permission of this name.', decidingAssignment: null },
    ]);
  });

  it('is given for service accounts of the tenant', async () => {
    const { account } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const principal = holder.serviceAccount(account);
    await grant(server, { principal, permission: Permission.AgentInstall, scope: at.tenant(tenant) });
    expect((await effective(principal, Permission.AgentInstall, at.tenant(tenant))).isAllowed).toBe(true);
  });
});

describe('a principal that does not exist', () => {
  it('answers 404 with the same message as one of another tenant and a service account of the server', async () => {
    const foreign = {
      User: (await createUser(server, { tenantId: other.id })).id,
      UserGroup: (await createUserGroup(server, { tenantId: other.id })).id,
      ServiceAccount: (await createServiceAccountWithKey(server, { tenantId: other.id })).account.id,
    };
    const ofServer = (await createServiceAccountWithKey(server)).account.id;
    const { client } = await callingUser(server, tenant, [Permission.TenantPermissionsRead]);
    const asked = [...Object.entries(foreign), ['ServiceAccount', ofServer], ...Object.keys(foreign).map((kind) => [kind, newGuid()])];
    for (const [principalKind, id] of asked) {
      const query = { principalKind, permissionName: 'device.read', scopeKind: 'Tenant' };
      for (const caller of [client, server.client()]) {
        const answer = await ask(id, query, caller);
        expect([answer.status, detailOf(answer)]).toEqual([404, 'The principal was not found.']);
      }
    }
  });

  it('is one whose id belongs to another kind of principal', async () => {
    const { id } = await freshUser();
    expect((await ask(id, { principalKind: 'UserGroup', permissionName: 'device.read', scopeKind: 'Tenant' })).status).toBe(404);
  });
});

describe('a query', () => {
  const GOOD: Query = { principalKind: 'User', permissionName: 'device.read', scopeKind: 'Tenant' };
  it.each<[string, Query, string]>([
    ['for a personal access token', { principalKind: 'PersonalAccessToken' }, 'principalKind'],
    ['for a logon token', { principalKind: 'LogonToken' }, 'principalKind'],
    ['with an empty permission', { permissionName: '' }, 'permissionName'],
    ['with the scope kind Unknown', { scopeKind: 'Unknown' }, 'scopeKind'],
    ['with a number for no scope kind', { scopeKind: '0' }, 'scopeKind'],
    ['with a malformed scope', { scopeKind: 'Device', scopeId: 'x' }, 'scopeId'],
    ['on a device without naming it', { scopeKind: 'Device' }, 'scopeId'],
    ['on the server with an id', { scopeKind: 'Server', scopeId: newGuid() }, 'scopeId'],
  ])('%s answers 400', async (_what, wrong, field) => {
    const answer = await ask((await freshUser()).id, { ...GOOD, ...wrong });
    expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, [field]]);
  });

  it('accepts a permission name of 150 characters, and numbers in place of names', async () => {
    const { id } = await freshUser();
    expect((await ask(id, { ...GOOD, permissionName: 'x'.repeat(150), principalKind: '0', scopeKind: '2' })).status).toBe(200);
  });

  it('answers 404 with the same message for a scope of another tenant and an unknown one', async () => {
    const { id } = await freshUser();
    const foreign: Scope[] = [
      at.tenant(other),
      at.device(await createDevice(server, { tenantId: other.id })),
      at.customer(await createCustomer(server, { tenantId: other.id })),
      at.deviceGroup(await createDeviceGroup(server, { tenantId: other.id })),
      at.userGroup(await createUserGroup(server, { tenantId: other.id })),
    ];
    for (const { scopeKind, scopeId } of foreign) {
      for (const asked of [scopeId ?? '', newGuid()]) {
        const answer = await ask(id, { ...GOOD, scopeKind, scopeId: asked });
        expect([answer.status, detailOf(answer)]).toEqual([404, 'The scope was not found.']);
      }
    }
  });

  it('ignores limits of a single credential', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const device = await createDevice(server, { tenantId: tenant.id });
    const { token } = await createPersonalAccessToken(server, user);
    const logonToken = await createLogonToken(server, user, device);
    for (const principal of [holder.personalAccessToken(token), holder.logonToken(logonToken)]) {
      await grant(server, { principal, permission: Permission.DeviceRead, scope: at.device(device) });
    }
    expect(await effective(holder.user(user), Permission.DeviceRead, at.device(device))).toEqual(NOTHING);
  });
});

it('has no POST route and no route on the internal surface', async () => {
  for (const path of ['/api/v1/effective-permissions/query', '/api/effective-permissions']) {
    expect((await server.client().post(path, { query: { tenantId: tenant.id }, body: {} })).status).toBe(404);
  }
});
