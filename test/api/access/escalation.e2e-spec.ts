import { beforeEach, describe, expect, it } from 'vitest';

import {
  Permission,
  PermissionEffect,
  PermissionScopeKind,
  type PermissionDefinition,
} from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { PersonalAccessToken } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { UserGroupMember } from '../../../src/people/user-groups/user-group.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { callingUser, detailOf, type CallingUser } from '../../support/callers/callers.js';
import {
  addToUserGroup,
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  createUserGroup,
  grant,
  grantAll,
  holder,
  type Scope,
} from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * Callers must not gain rights. Tests each guard separately, by its message and by a caller that is just allowed.
 */

const { Deny } = PermissionEffect;

const server = testServer();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await createTenant(server);
});

const named = (): { readonly tenantId: string } => ({ tenantId: tenant.id });

function refusal(answer: ApiAnswer): [number, unknown] {
  return [answer.status, detailOf(answer)];
}

/** Actions by which a caller could act as another principal, with the required permission and the refusal. */
const TAKEOVERS = [
  {
    what: 'resetting a password',
    permission: Permission.TenantUsersWrite,
    sentence: 'Resetting the password of a user lets you act as that user.',
    done: 200,
    attempt: (client: ApiClient, user: User) => client.post(`/api/v1/users/${user.id}/reset-password`, { query: named() }),
    changed: async (user: User) => (await server.dataSource.manager.findOneByOrFail(User, { id: user.id })).passwordHash !== null,
  },
  {
    what: 'making a Restricted token for a user',
    permission: Permission.PersonalAccessTokenOthersWrite,
    sentence: 'Creating a token for a user lets you act as that user.',
    done: 201,
    attempt: (client: ApiClient, user: User) =>
      client.post(`/api/v1/users/${user.id}/personal-access-tokens`, { query: named(), body: { name: newGuid() } }),
    changed: (user: User) => server.dataSource.manager.existsBy(PersonalAccessToken, { userId: user.id }),
  },
  {
    what: 'adding a user to a group that holds as much',
    permission: Permission.UserGroupAssignUsers,
    sentence: 'Adding members to a group gives them everything that the group holds.',
    done: 204,
    attempt: async (client: ApiClient, user: User) => {
      const group = await groupWithRightsOf(user);
      const joining = await createUser(server, { tenantId: tenant.id });
      return client.post(`/api/v1/user-groups/${group.id}/members`, { query: named(), body: { userIds: [joining.id] } });
    },
    changed: async () => (await server.dataSource.manager.count(UserGroupMember, { where: {} })) > membersBefore,
  },
];

let membersBefore = 0;

/** A group that holds what a user holds directly or through its groups. */
async function groupWithRightsOf(user: User): Promise<{ readonly id: string }> {
  const { manager } = server.dataSource;
  const group = await createUserGroup(server, { tenantId: tenant.id });
  const groups = await manager.findBy(UserGroupMember, { userId: user.id });
  for (const principalId of [user.id, ...groups.map(({ userGroupId }) => userGroupId)]) {
    for (const row of await manager.findBy(PermissionAssignment, { principalId })) {
      const { permissionName, effect, scopeKind, scopeId, owningTenantId, isEnabled } = row;
      const permission = Object.values(Permission).find(({ name }) => name === permissionName);
      if (permission === undefined) throw new Error(permissionName);
      await grant(server, {
        principal: holder.userGroup(group),
        permission,
        effect,
        scope: { scopeKind, scopeId, owningTenantId },
        isEnabled,
      });
    }
  }
  membersBefore = await manager.count(UserGroupMember, { where: {} });
  return group;
}

describe.each(TAKEOVERS)('$what', ({ permission, sentence, done, attempt, changed }) => {
  let caller: CallingUser;
  let target: User;

  beforeEach(async () => {
    caller = await callingUser(server, tenant, [permission, Permission.DeviceRead]);
    target = await createUser(server, { tenantId: tenant.id });
  });

  async function expectRefused(missing: PermissionDefinition, client = caller.client): Promise<void> {
    expect(refusal(await attempt(client, target))).toEqual([
      403,
      `${sentence} It holds ${missing.name}, which you do not hold to the same extent.`,
    ]);
    expect(await changed(target)).toBe(false);
  }

  async function expectDone(client = caller.client): Promise<void> {
    expect((await attempt(client, target)).status).toBe(done);
    expect(await changed(target)).toBe(true);
  }

  const give = (given: PermissionDefinition, scope: Scope, more: object = {}): Promise<PermissionAssignment> =>
    grant(server, { principal: holder.user(target), permission: given, scope, ...more });

  it('is allowed for a target that holds nothing', () => expectDone());

  it('is allowed for a target that holds the same, or the same at a narrower scope', async () => {
    await give(Permission.DeviceRead, at.tenant(tenant));
    await give(Permission.DeviceRead, at.device(await createDevice(server, { tenantId: tenant.id })));
    await expectDone();
  });

  it('is refused for another permission in the tenant', async () => {
    await give(Permission.TenantPermissionsWrite, at.tenant(tenant));
    await expectRefused(Permission.TenantPermissionsWrite);
  });

  it('is refused for a permission of the server', async () => {
    await give(Permission.ServerTenantsRead, at.server);
    await expectRefused(Permission.ServerTenantsRead);
  });

  it('is refused for a permission on one device', async () => {
    await give(Permission.DeviceDelete, at.device(await createDevice(server, { tenantId: tenant.id })));
    await expectRefused(Permission.DeviceDelete);
  });

  it('is refused for a permission through a group', async () => {
    const group = await createUserGroup(server, { tenantId: tenant.id });
    await addToUserGroup(server, group, target);
    await grant(server, { principal: holder.userGroup(group), permission: Permission.AgentInstall, scope: at.tenant(tenant) });
    await expectRefused(Permission.AgentInstall);
  });

  it('is refused when the caller has a Deny that the target does not have', async () => {
    await give(Permission.DeviceRead, at.tenant(tenant));
    const device = await createDevice(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.user(caller.user), permission: Permission.DeviceRead, scope: at.device(device), effect: Deny });
    await expectRefused(Permission.DeviceRead);
  });

  it('is refused when the caller has a Deny at a customer whose devices the target reaches through a device group', async () => {
    const [customer, group] = [
      await createCustomer(server, { tenantId: tenant.id }),
      await createDeviceGroup(server, { tenantId: tenant.id }),
    ];
    const denied = { principal: holder.user(caller.user), permission: Permission.DeviceRead, scope: at.customer(customer), effect: Deny };
    await grant(server, denied);
    await give(Permission.DeviceRead, at.deviceGroup(group));
    await createDevice(server, { tenantId: tenant.id, customerId: customer.id });
    await createDevice(server, { tenantId: tenant.id, groups: [group] });
    await expectDone();
    await createDevice(server, { tenantId: tenant.id, customerId: customer.id, groups: [group] });
    target = await createUser(server, { tenantId: tenant.id });
    await give(Permission.DeviceRead, at.deviceGroup(group));
    await expectRefused(Permission.DeviceRead);
  });

  it('is allowed when what the target holds is disabled or denied', async () => {
    await grant(server, {
      principal: holder.user(caller.user),
      permission: Permission.TenantPermissionsDeny,
      scope: at.tenant(tenant),
    });
    await give(Permission.TenantPermissionsWrite, at.tenant(tenant), { isEnabled: false });
    await give(Permission.AgentInstall, at.tenant(tenant));
    await give(Permission.AgentInstall, at.tenant(tenant), { effect: Deny });
    await expectDone();
  });

  it('is refused to a token with fewer permissions than its owner', async () => {
    await give(Permission.DeviceRead, at.tenant(tenant));
    const { token, key } = await createPersonalAccessToken(server, caller.user);
    await grant(server, { principal: holder.personalAccessToken(token), permission, scope: at.tenant(tenant) });
    await expectRefused(Permission.DeviceRead, server.client({ 'x-personal-token': key }));
  });

  it('is refused to service accounts like users, but never to an Unrestricted one', async () => {
    await give(Permission.DeviceDelete, at.tenant(tenant));
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.serviceAccount(account), permission, scope: at.tenant(tenant) });
    await expectRefused(Permission.DeviceDelete, server.client({ 'x-api-key': key }));
    await expectDone(server.client());
  });
});

describe('joining a group that holds more', () => {
  it('is refused for oneself as well', async () => {
    const group = await createUserGroup(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.userGroup(group), permission: Permission.TenantPermissionsWrite, scope: at.tenant(tenant) });
    const { client, user } = await callingUser(server, tenant, [Permission.UserGroupAssignUsers]);
    const answer = await client.post(`/api/v1/user-groups/${group.id}/members`, { query: named(), body: { userIds: [user.id] } });
    expect(refusal(answer)).toEqual([
      403,
      'Adding members to a group gives them everything that the group holds. It holds tenant.permissions.write, which you do not hold to the same extent.',
    ]);
    expect(await server.dataSource.manager.countBy(UserGroupMember, { userGroupId: group.id })).toBe(0);
  });
});

describe('moving devices', () => {
  const SENTENCE = 'Moving a device requires device.read on it: you may not read all of these devices.';

  it('into one’s own device group is refused without device.read on each of them', async () => {
    const { client, user } = await callingUser(server, tenant, []);
    const principal = holder.user(user);
    const group = await createDeviceGroup(server, { tenantId: tenant.id });
    const [read, unread] = [await createDevice(server, { tenantId: tenant.id }), await createDevice(server, { tenantId: tenant.id })];
    await grantAll(server, principal, [Permission.DeviceGroupAssignDevices, Permission.DeviceTerminalUse], at.deviceGroup(group));
    await grant(server, { principal, permission: Permission.DeviceRead, scope: at.device(read) });
    const move = (deviceIds: string[]): Promise<ApiAnswer> =>
      client.post(`/api/v1/device-groups/${group.id}/members`, { query: named(), body: { deviceIds } });
    expect(refusal(await move([read.id, unread.id]))).toEqual([403, SENTENCE]);
    expect((await move([read.id])).status).toBe(204);
  });

  it('into one’s own customer is refused without device.read on each of them', async () => {
    const { client, user } = await callingUser(server, tenant, [Permission.TenantCustomersWrite]);
    const customer = await createCustomer(server, { tenantId: tenant.id });
    const [read, unread] = [await createDevice(server, { tenantId: tenant.id }), await createDevice(server, { tenantId: tenant.id })];
    await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.device(read) });
    const move = (deviceIds: string[]): Promise<ApiAnswer> =>
      client.post(`/api/v1/customers/${customer.id}/devices`, { query: named(), body: { deviceIds, removeDeviceIds: [] } });
    expect(refusal(await move([read.id, unread.id]))).toEqual([403, SENTENCE]);
    expect((await move([read.id])).status).toBe(204);
  });
});

describe('a Deny', () => {
  const BASE = '/api/v1/permission-assignments';
  const DEVICE_READ = { permissionName: 'device.read', scopeKind: PermissionScopeKind.Tenant };

  it.each<[string, (client: ApiClient, row: PermissionAssignment) => Promise<ApiAnswer>]>([
    ['deleted', (client, { id }) => client.delete(`${BASE}/${id}`, { query: named() })],
    ['deleted with others', (client, { id }) => client.post(`${BASE}/batch-delete`, { query: named(), body: { assignmentIds: [id] } })],
    [
      'disabled',
      (client, { id }) => client.put(`${BASE}/${id}`, { query: named(), body: { ...DEVICE_READ, effect: 'Deny', isEnabled: false } }),
    ],
    [
      'turned into an Allow',
      (client, { id }) => client.put(`${BASE}/${id}`, { query: named(), body: { ...DEVICE_READ, effect: 'Allow', isEnabled: true } }),
    ],
    [
      'replaced',
      (client, { principalKind, principalId }) => {
        const reference = { principalKind, principalId };
        const assignments = [{ ...reference, permissionName: 'tenant.read', effect: 'Allow', scopeKind: 'Tenant' }];
        return client.post(`${BASE}/replace`, { query: named(), body: { ...reference, assignments } });
      },
    ],
    [
      'replaced by presets',
      (client, { principalKind, principalId }) =>
        client.post(`${BASE}/presets/apply`, {
          query: named(),
          body: { principalKind, principalId, presetNames: ['Self Service'], replaceExisting: true },
        }),
    ],
  ])('cannot be %s without tenant.permissions.deny', async (_what, attempt) => {
    const { client, user } = await callingUser(server, tenant, [Permission.TenantPermissionsWrite]);
    const principal = holder.user(await createUser(server, { tenantId: tenant.id }));
    const row = await grant(server, { principal, permission: Permission.DeviceRead, scope: at.tenant(tenant), effect: Deny });
    const stored = (): Promise<PermissionAssignment[]> =>
      server.dataSource.manager.findBy(PermissionAssignment, { principalId: principal.id });
    const before = await stored();
    expect(refusal(await attempt(client, row))).toEqual([403, 'The permission tenant.permissions.deny is required.']);
    expect(await stored()).toEqual(before);
    await grant(server, { principal: holder.user(user), permission: Permission.TenantPermissionsDeny, scope: at.tenant(tenant) });
    expect((await attempt(client, row)).status).toBeLessThan(300);
    expect(await stored()).not.toEqual(before);
  });
});

describe('an Unrestricted account', () => {
  it('is created only with server.permissions.write', async () => {
    const { account, key } = await createServiceAccountWithKey(server);
    const principal = holder.serviceAccount(account);
    await grant(server, { principal, permission: Permission.ServerServiceAccountsWrite, scope: at.server });
    const client = server.client({ 'x-api-key': key });
    const create = (accessMode: string): Promise<ApiAnswer> =>
      client.post('/api/v1/server-service-accounts', { body: { name: newGuid(), accessMode } });
    expect((await create('Restricted')).status).toBe(201);
    expect(refusal(await create('Unrestricted'))).toEqual([
      403,
      'An Unrestricted account bypasses every check: creating one also requires server.permissions.write.',
    ]);
    await grant(server, { principal, permission: Permission.ServerPermissionsWrite, scope: at.server });
    expect((await create('Unrestricted')).status).toBe(201);
  });
});
