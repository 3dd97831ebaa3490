import { describe, expect, it } from 'vitest';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import type {
  EffectivePermissionsResponseDto,
  GrantablePermissionsResponseDto,
  HeldPermissionsResponseDto,
  PrincipalNamesResponseDto,
} from '../../../src/access/permission-assignments/held/held-permissions.dto.js';
import type {
  PermissionCatalogResponseDto,
  PermissionPresetsResponseDto,
} from '../../../src/access/permission-assignments/permission-assignment.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { accountWith } from '../../support/callers/callers.js';
import {
  addToUserGroup,
  at,
  createCustomer,
  createDevice,
  createUser,
  createUserGroup,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const server = testServer();
const tenant = testTenant(server);
const other = testTenant(server);

const { DeviceRead, DeviceTerminalUse, TenantCustomersRead, TenantPermissionsRead, TenantUserGroupsRead, TenantUsersRead } = Permission;
const reading = [TenantPermissionsRead, at.tenant(tenant)] as const;

/** A user in two of three groups, with an assignment of its own and one of a group. */
async function scene() {
  const user = await createUser(server, { tenantId: tenant.id, userName: `anna-${newGuid()}@example.org` });
  const [helpdesk, night] = [
    await createUserGroup(server, { tenantId: tenant.id, name: `helpdesk ${newGuid()}` }),
    await createUserGroup(server, { tenantId: tenant.id, name: `Night ${newGuid()}` }),
  ];
  await createUserGroup(server, { tenantId: tenant.id });
  await addToUserGroup(server, helpdesk, user);
  await addToUserGroup(server, night, user);
  const customer = await createCustomer(server, { tenantId: tenant.id });
  const device = await createDevice(server, { tenantId: tenant.id });
  const own = await grant(server, { principal: holder.user(user), permission: DeviceRead, scope: at.device(device) });
  const through = await grant(server, {
    principal: holder.userGroup(helpdesk),
    permission: DeviceTerminalUse,
    scope: at.customer(customer),
  });
  return { user, helpdesk, night, customer, device, own, through };
}

const heldBy = { principalKind: 'User' };

describe('what a principal holds', () => {
  it('is its own and that of its groups, with the names that the caller may read', async () => {
    const { user, helpdesk, night, customer, device, own, through } = await scene();
    const query = { ...heldBy, principalId: user.id };
    const all = await accountWith(
      server,
      tenant,
      reading,
      [TenantUserGroupsRead, at.tenant(tenant)],
      [TenantCustomersRead, at.tenant(tenant)],
      [DeviceRead, at.device(device)],
    );
    const known = (await all.get('/account/held-permissions', { query })).as<HeldPermissionsResponseDto>();
    expect(known).toMatchObject({
      assignments: [{ id: own.id }],
      groupAssignments: [{ id: through.id, principalId: helpdesk.id }],
      groups: [
        { id: helpdesk.id, name: helpdesk.name },
        { id: night.id, name: night.name },
      ],
      isComplete: true,
    });
    expect(known.scopes.map(({ scopeId }) => scopeId).sort()).toEqual([customer.id, device.id].sort());
    expect(known.assignments[0]).not.toHaveProperty('owningTenantId');

    const reader = await accountWith(server, tenant, reading);
    const hidden = (await reader.get('/account/held-permissions', { query })).as<HeldPermissionsResponseDto>();
    expect(hidden.groupAssignments).toMatchObject([{ id: through.id }]);
    expect(hidden.groups).toEqual([
      { id: helpdesk.id, name: null },
      { id: night.id, name: null },
    ]);
    expect(hidden.scopes).toEqual([]);
  });

  it('is not found for a principal of another tenant', async () => {
    const user = await createUser(server, { tenantId: other.id });
    const reader = await accountWith(server, tenant, reading);
    expect((await reader.get('/account/held-permissions', { query: { ...heldBy, principalId: user.id } })).status).toBe(404);
  });
});

describe('all permissions of a principal at a scope', () => {
  it('are decided in one call as each is alone', async () => {
    const { user, helpdesk, customer, device, own } = await scene();
    const reader = await accountWith(server, tenant, reading, [TenantUserGroupsRead, at.tenant(tenant)]);
    const member = await createDevice(server, { tenantId: tenant.id, customerId: customer.id });
    await grant(server, { principal: holder.user(user), permission: DeviceRead, scope: at.tenant(tenant), effect: PermissionEffect.Deny });
    for (const [asked, allowed] of [
      [device, []],
      [member, ['device.terminal.use']],
    ] as const) {
      const query = { ...heldBy, principalId: user.id, scopeKind: 'Device', scopeId: asked.id };
      const { items, groups } = (await reader.get('/account/effective-permissions', { query })).as<EffectivePermissionsResponseDto>();
      expect(items.filter(({ isAllowed }) => isAllowed).map(({ permissionName }) => permissionName)).toEqual(allowed);
      expect(groups.map(({ id }) => id)).toEqual(allowed.length === 0 ? [] : [helpdesk.id]);
      for (const { permissionName, ...verdict } of items) {
        const path = `/api/v1/effective-permissions/${user.id}`;
        const alone = await reader.get(path, { query: { ...query, permissionName, tenantId: tenant.id } });
        expect(alone.as<object>()).toEqual(verdict);
      }
    }
    expect(own.isEnabled).toBe(true);
  });

  it('are not found for what another tenant has', async () => {
    const { user } = await scene();
    const reader = await accountWith(server, tenant, reading);
    const foreign = await createDevice(server, { tenantId: other.id });
    const query = { ...heldBy, principalId: user.id, scopeKind: 'Device', scopeId: foreign.id };
    expect((await reader.get('/account/effective-permissions', { query })).status).toBe(404);
    const stranger = await createUser(server, { tenantId: other.id });
    const asked = { ...heldBy, principalId: stranger.id, scopeKind: 'Tenant' };
    expect((await reader.get('/account/effective-permissions', { query: asked })).status).toBe(404);
  });
});

describe('principals by name', () => {
  it('are those of the tenant that the caller may read', async () => {
    const mark = newGuid();
    const user = await createUser(server, { tenantId: tenant.id, userName: `Bea-${mark}@example.org` });
    const group = await createUserGroup(server, { tenantId: tenant.id, name: `group ${mark}` });
    await createUser(server, { tenantId: other.id, userName: `far-${mark}@example.org` });
    const named = async (rights: Parameters<typeof accountWith>[2][], query: Record<string, string>) => {
      const client = await accountWith(server, tenant, reading, ...rights);
      const { items } = (await client.get('/account/principals', { query })).as<PrincipalNamesResponseDto>();
      return items.map(({ principalId }) => principalId);
    };
    const users = [TenantUsersRead, at.tenant(tenant)] as const;
    const groups = [TenantUserGroupsRead, at.tenant(tenant)] as const;
    expect(await named([users, groups], { search: mark.toUpperCase() })).toEqual([user.id, group.id]);
    expect(await named([groups], { search: mark })).toEqual([group.id]);
    expect(await named([], { search: mark })).toEqual([]);
    expect(await named([users, groups], { search: group.name, principalId: user.id })).toEqual([user.id, group.id]);
  });
});

describe('what a token can be given', () => {
  it('is told to users who may make tokens, though they may not read permissions', async () => {
    const reader = await accountWith(server, tenant, reading);
    const maker = await accountWith(server, tenant, [Permission.PersonalAccessTokenSelfWrite, at.tenant(tenant)]);
    const query = { tenantId: tenant.id };
    const { items: catalog } = (await reader.get('/api/v1/permission-assignments/catalog', { query })).as<PermissionCatalogResponseDto>();
    const { items: presets } = (await reader.get('/api/v1/permission-assignments/presets', { query })).as<PermissionPresetsResponseDto>();
    expect((await maker.get('/api/v1/permission-assignments/catalog', { query })).status).toBe(403);
    expect((await maker.get('/account/grantable-permissions')).as<GrantablePermissionsResponseDto>()).toEqual({ catalog, presets });
  });
});
