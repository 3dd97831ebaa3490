import { beforeEach, describe, expect, it } from 'vitest';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import type { Customer } from '../../../src/devices/customers/customer.entity.js';
import type { DeviceGroup } from '../../../src/devices/device-groups/device-group.entity.js';
import type { Device } from '../../../src/devices/devices/device.entity.js';
import type { UserGroup } from '../../../src/people/user-groups/user-group.entity.js';
import type { User } from '../../../src/people/users/user.entity.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { accountWith, detailOf } from '../../support/callers/callers.js';
import {
  addToUserGroup,
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  createUserGroup,
  grant,
  holder,
  type Holder,
  type Scope,
} from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * An account that holds every permission on devices, groups, customers and users, but not the right to write Deny assignments, tries to
 * end another user's Deny without touching the assignment: it deletes, empties, moves or leaves what the Deny depends on. Each way has to
 * be refused with the rule, has to leave everything as it was, and has to be open to a holder of the right.
 */

const server = testServer();

const EVERYTHING_ELSE = [
  Permission.DeviceDelete,
  Permission.DeviceRead,
  Permission.TenantCustomersWrite,
  Permission.TenantDeviceGroupsWrite,
  Permission.DeviceGroupAssignDevices,
  Permission.TenantUserGroupsWrite,
  Permission.UserGroupAssignUsers,
  Permission.TenantPermissionsWrite,
];

let tenant: Tenant;
let denied: User;
let customer: Customer;
let group: DeviceGroup;
let userGroup: UserGroup;
let device: Device;
let attacker: ApiClient;

beforeEach(async () => {
  tenant = await createTenant(server);
  denied = await createUser(server, { tenantId: tenant.id });
  customer = await createCustomer(server, { tenantId: tenant.id });
  group = await createDeviceGroup(server, { tenantId: tenant.id });
  userGroup = await createUserGroup(server, { tenantId: tenant.id });
  await addToUserGroup(server, userGroup, denied);
  device = await createDevice(server, { tenantId: tenant.id, customerId: customer.id, groups: [group] });
  attacker = await accountWith(server, tenant, ...EVERYTHING_ELSE.map((permission) => [permission, at.tenant(tenant)] as const));
});

/** Calls as an account that may write Deny assignments besides. */
function entitled(): Promise<ApiClient> {
  const permissions = [...EVERYTHING_ELSE, Permission.TenantPermissionsDeny];
  return accountWith(server, tenant, ...permissions.map((permission) => [permission, at.tenant(tenant)] as const));
}

function deny(principal: Holder, scope: Scope): Promise<PermissionAssignment> {
  return grant(server, { principal, permission: Permission.DeviceTerminalUse, scope, effect: PermissionEffect.Deny });
}

const inTenant = (): { readonly query: { readonly tenantId: string } } => ({ query: { tenantId: tenant.id } });

const WAYS: readonly {
  readonly what: string;
  readonly denial: () => Promise<PermissionAssignment>;
  readonly deed: string;
  readonly attempt: (client: ApiClient) => Promise<ApiAnswer>;
}[] = [
  {
    what: 'deleting the device',
    denial: () => deny(holder.user(denied), at.device(device)),
    deed: 'Deleting this device',
    attempt: (client) => client.delete(`/api/v1/devices/${device.id}`, inTenant()),
  },
  {
    what: 'deleting a device of the customer',
    denial: () => deny(holder.user(denied), at.customer(customer)),
    deed: 'Deleting this device',
    attempt: (client) => client.delete(`/api/v1/devices/${device.id}`, inTenant()),
  },
  {
    what: 'deleting a device of the device group',
    denial: () => deny(holder.userGroup(userGroup), at.deviceGroup(group)),
    deed: 'Deleting this device',
    attempt: (client) => client.delete(`/api/v1/devices/${device.id}`, inTenant()),
  },
  {
    what: 'deleting the customer',
    denial: () => deny(holder.user(denied), at.customer(customer)),
    deed: 'Deleting this customer',
    attempt: (client) => client.delete(`/api/v1/customers/${customer.id}`, inTenant()),
  },
  {
    what: 'taking the device from the customer',
    denial: () => deny(holder.user(denied), at.customer(customer)),
    deed: 'Removing these devices',
    attempt: (client) =>
      client.post(`/api/v1/customers/${customer.id}/devices`, { ...inTenant(), body: { deviceIds: [], removeDeviceIds: [device.id] } }),
  },
  {
    what: 'moving the device to another customer',
    denial: () => deny(holder.user(denied), at.customer(customer)),
    deed: 'Removing these devices',
    attempt: async (client) => {
      const other = await createCustomer(server, { tenantId: tenant.id });
      const body = { deviceIds: [device.id], removeDeviceIds: [] };
      return client.post(`/api/v1/customers/${other.id}/devices`, { ...inTenant(), body });
    },
  },
  {
    what: 'deleting the device group',
    denial: () => deny(holder.user(denied), at.deviceGroup(group)),
    deed: 'Deleting this device group',
    attempt: (client) => client.delete(`/api/v1/device-groups/${group.id}`, inTenant()),
  },
  {
    what: 'emptying the device group',
    denial: () => deny(holder.user(denied), at.deviceGroup(group)),
    deed: 'Removing these devices',
    attempt: (client) =>
      client.call('DELETE', `/api/v1/device-groups/${group.id}/members`, { ...inTenant(), body: { deviceIds: [device.id] } }),
  },
  {
    what: 'deleting the user group that a user may not manage',
    denial: () => deny(holder.user(denied), at.userGroup(userGroup)),
    deed: 'Deleting this user group',
    attempt: (client) => client.delete(`/api/v1/user-groups/${userGroup.id}`, inTenant()),
  },
];

describe('a Deny is not ended by', () => {
  it.each(WAYS)('$what', async ({ denial, deed, attempt }) => {
    const row = await denial();
    const refused = await attempt(attacker);
    expect([refused.status, detailOf(refused)]).toEqual([
      403,
      `${deed} would end a denial: the permission tenant.permissions.deny is required.`,
    ]);
    expect(await server.dataSource.manager.existsBy(PermissionAssignment, { id: row.id })).toBe(true);
    expect((await attempt(await entitled())).status).toBeLessThan(300);
  });

  it.each([
    [
      'leaving the user group that it is of',
      (client: ApiClient) =>
        client.call('DELETE', `/api/v1/user-groups/${userGroup.id}/members`, { ...inTenant(), body: { userIds: [denied.id] } }),
    ],
    ['deleting the user group that it is of', (client: ApiClient) => client.delete(`/api/v1/user-groups/${userGroup.id}`, inTenant())],
  ])('%s', async (_what, attempt) => {
    await deny(holder.userGroup(userGroup), at.tenant(tenant));
    const refused = await attempt(attacker);
    expect([refused.status, detailOf(refused)]).toEqual([
      403,
      'The group denies device.terminal.use: changing its members or deleting it requires tenant.permissions.deny.',
    ]);
    expect((await attempt(await entitled())).status).toBe(204);
  });

  it('deleting its device among others: that one stays, the others go', async () => {
    await deny(holder.user(denied), at.device(device));
    const other = await createDevice(server, { tenantId: tenant.id });
    const deleteBoth = (client: ApiClient): Promise<ApiAnswer> =>
      client.post('/api/v1/devices/delete-many', { ...inTenant(), body: { deviceIds: [device.id, other.id] } });
    expect((await deleteBoth(attacker)).body).toEqual({ successIds: [other.id], failureIds: [device.id] });
    expect((await deleteBoth(await entitled())).body).toEqual({ successIds: [device.id], failureIds: [other.id] });
  });

  it('a tenant, where it denies something to a service account of the server', async () => {
    const { account } = await createServiceAccountWithKey(server);
    await deny(holder.serviceAccount(account), at.device(device));
    const remove = (client: ApiClient): Promise<ApiAnswer> => client.delete(`/api/v1/devices/${device.id}`, inTenant());
    const refused = await remove(await entitled());
    expect([refused.status, detailOf(refused)]).toEqual([
      403,
      'Deleting this device would end a denial: the permission server.permissions.write is required.',
    ]);
    expect((await remove(server.client())).status).toBeLessThan(300);
  });
});

describe('the right to write Deny assignments is not needed', () => {
  it('where the Deny is disabled', async () => {
    const scope = at.device(device);
    const effect = PermissionEffect.Deny;
    await grant(server, { principal: holder.user(denied), permission: Permission.DeviceTerminalUse, scope, effect, isEnabled: false });
    expect((await attacker.delete(`/api/v1/devices/${device.id}`, inTenant())).status).toBeLessThan(300);
  });

  it('to move or delete a device that no Deny depends on', async () => {
    await deny(holder.user(denied), at.tenant(tenant));
    const body = { deviceIds: [], removeDeviceIds: [device.id] };
    expect((await attacker.post(`/api/v1/customers/${customer.id}/devices`, { ...inTenant(), body })).status).toBe(204);
    expect((await attacker.delete(`/api/v1/devices/${device.id}`, inTenant())).status).toBeLessThan(300);
  });
});
