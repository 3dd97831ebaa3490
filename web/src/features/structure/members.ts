import { addToCustomer, takeOutOfCustomer } from '../../api/devices/customers.js';
import { addToDeviceGroup, takeOutOfDeviceGroup } from '../../api/devices/device-groups.js';
import { addToTag, takeOutOfTag } from '../../api/devices/tags.js';
import type { Kind } from './resources.js';
import type { PermissionName } from '../../model/permissions/names.js';

/*
 * Additions and removals of devices in a customer, a group or a tag.
 */

interface Membership {
  readonly permission: PermissionName;
  add(this: void, id: string, deviceIds: readonly string[]): Promise<void>;
  /** `onTakenOut` learns which devices are out, in one call or several, also if others cannot be taken out. */
  takeOut(this: void, id: string, deviceIds: readonly string[], onTakenOut: (part: readonly string[]) => void): Promise<void>;
}

export const MEMBERSHIPS: Readonly<Record<Kind, Membership>> = {
  customers: { permission: 'tenant.customers.write', add: addToCustomer, takeOut: takeOutOfCustomer },
  'device-groups': { permission: 'device-group.assign-devices', add: addToDeviceGroup, takeOut: takeOutOfDeviceGroup },
  tags: { permission: 'device.tags.write', add: addToTag, takeOut: takeOutOfTag },
};
