import { api } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import type { Kind } from './resources.js';
import type { PermissionName } from '../../model/permissions/names.js';

/*
 * Additions and removals of devices in a customer, a group or a tag.
 */

/** Devices in one call, as the routes take them. */
const IN_ONE_CALL = 1000;
/** Calls under way at once, where each is about one device. */
const AT_ONCE = 4;

interface Membership {
  readonly permission: PermissionName;
  add(this: void, id: string, deviceIds: string[]): Promise<unknown>;
  takeOut(this: void, id: string, deviceIds: string[]): Promise<unknown>;
}

/** Asks once for each device, some at a time. */
async function each(deviceIds: readonly string[], call: (deviceId: string) => Promise<unknown>): Promise<void> {
  const waiting = [...deviceIds];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await call(id);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const MEMBERSHIPS: Readonly<Record<Kind, Membership>> = {
  customers: {
    permission: 'tenant.customers.write',
    add: (customerId, deviceIds) =>
      api.POST('/api/v1/customers/{customerId}/devices', { params: { path: { customerId } }, body: { deviceIds, removeDeviceIds: [] } }),
    takeOut: (customerId, removeDeviceIds) =>
      api.POST('/api/v1/customers/{customerId}/devices', { params: { path: { customerId } }, body: { deviceIds: [], removeDeviceIds } }),
  },
  'device-groups': {
    permission: 'device-group.assign-devices',
    add: (deviceGroupId, deviceIds) =>
      api.POST('/api/v1/device-groups/{deviceGroupId}/members', { params: { path: { deviceGroupId } }, body: { deviceIds } }),
    takeOut: (deviceGroupId, deviceIds) =>
      api.DELETE('/api/v1/device-groups/{deviceGroupId}/members', { params: { path: { deviceGroupId } }, body: { deviceIds } }),
  },
  tags: {
    permission: 'device.tags.write',
    add: (tagId, deviceIds) => each(deviceIds, (deviceId) => api.POST('/api/v1/device-tags', { body: { deviceId, tagId } })),
    takeOut: (tagId, deviceIds) =>
      each(deviceIds, (deviceId) => api.DELETE('/api/v1/device-tags/{deviceId}/{tagId}', { params: { path: { deviceId, tagId } } })),
  },
};

/** The permission that changing the members asks for. */
export const memberPermission = (kind: Kind): PermissionName => MEMBERSHIPS[kind].permission;

/** Adds devices, or takes them out. */
export async function changeMembers(kind: Kind, id: string, deviceIds: readonly string[], how: 'add' | 'takeOut'): Promise<void> {
  for (let from = 0; from < deviceIds.length; from += IN_ONE_CALL) {
    await MEMBERSHIPS[kind][how](id, deviceIds.slice(from, from + IN_ONE_CALL));
  }
  await changed(kind, 'devices');
}
