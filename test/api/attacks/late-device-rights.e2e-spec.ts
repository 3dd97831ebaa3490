import { beforeEach, describe, expect, it } from 'vitest';

import { Permission, type PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { DeviceGroupMember } from '../../../src/devices/device-groups/device-group.entity.js';
import { Device } from '../../../src/devices/devices/device.entity.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { callingUser, type CallingUser } from '../../support/callers/callers.js';
import { whileWaiting } from '../../support/callers/while-waiting.js';
import { at, createCustomer, createDevice, createDeviceGroup, createTenant, grant, holder } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * A caller changes several devices at once, and loses the right to one of them while the change waits for its row. What opened the route,
 * the caller still holds.
 */

const server = testServer();
let tenant: Tenant;
let caller: CallingUser;
let device: Device;

beforeEach(async () => {
  tenant = await createTenant(server);
  caller = await callingUser(server, tenant, [Permission.TenantCustomersWrite, Permission.DeviceGroupAssignDevices]);
  device = await createDevice(server, { tenantId: tenant.id });
});

const inTenant = (): { readonly query: { readonly tenantId: string } } => ({ query: { tenantId: tenant.id } });

/** Calls while a test holds the row of the device, and takes the permission on the device away before it lets go. */
async function losing(permission: PermissionDefinition, call: (client: ApiClient) => Promise<ApiAnswer>): Promise<ApiAnswer> {
  const { id } = await grant(server, { principal: holder.user(caller.user), permission, scope: at.device(device) });
  const takeAway = (): Promise<unknown> => server.dataSource.manager.delete(PermissionAssignment, { id });
  return whileWaiting(server, `SELECT 1 FROM devices WHERE id = '${device.id}' FOR UPDATE`, () => call(caller.client), takeAway);
}

describe('the right to one of several devices that goes while a change waits for it', () => {
  it('keeps the device from being deleted', async () => {
    const other = await createDevice(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.user(caller.user), permission: Permission.DeviceDelete, scope: at.device(other) });
    const body = { deviceIds: [device.id, other.id] };
    const answer = await losing(Permission.DeviceDelete, (client) => client.post('/api/v1/devices/delete-many', { body }));
    expect([answer.status, answer.body]).toEqual([200, { successIds: [other.id], failureIds: [device.id] }]);
    expect(await server.dataSource.manager.existsBy(Device, { id: device.id })).toBe(true);
  });

  it('keeps the device from coming to a customer', async () => {
    const customer = await createCustomer(server, { tenantId: tenant.id });
    const body = { deviceIds: [device.id] };
    const answer = await losing(Permission.DeviceRead, (client) =>
      client.post(`/api/v1/customers/${customer.id}/devices`, { ...inTenant(), body }),
    );
    expect(answer.status).toBe(403);
    expect(await server.dataSource.manager.existsBy(Device, { customerId: customer.id })).toBe(false);
  });

  it('keeps the device from coming to a group', async () => {
    const group = await createDeviceGroup(server, { tenantId: tenant.id });
    const body = { deviceIds: [device.id] };
    const answer = await losing(Permission.DeviceRead, (client) =>
      client.post(`/api/v1/device-groups/${group.id}/members`, { ...inTenant(), body }),
    );
    expect(answer.status).toBe(403);
    expect(await server.dataSource.manager.existsBy(DeviceGroupMember, { deviceGroupId: group.id })).toBe(false);
  });
});
