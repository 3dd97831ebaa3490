import { api } from '../client.js';
import { mutation } from '../mutation.js';
import { ifMatch, versionOf } from '../versioned.js';
import { inParts } from './in-parts.js';

/*
 * Customers. Their list is one of `lists.ts`, which many pages read.
 */

const CHANGES = ['customers', 'devices'] as const;

/** Values of a new or changed customer. */
interface CustomerValues {
  readonly name: string;
  readonly description: string | null;
  readonly notes: string | null;
}

const pathOf = (customerId: string) => ({ path: { customerId } });

/** Reads a customer as it is stored now. */
export const readCustomer = (customerId: string) => versionOf(api.GET('/api/v1/customers/{customerId}', { params: pathOf(customerId) }));

export const createCustomer = mutation(CHANGES, (body: CustomerValues) => api.POST('/api/v1/customers', { body }));

/** Changes a customer, if it still has the state with the tag; null is for any. */
export const updateCustomer = mutation(CHANGES, (customerId: string, body: CustomerValues, tag: string | null) =>
  versionOf(api.PUT('/api/v1/customers/{customerId}', { params: pathOf(customerId), body, headers: ifMatch(tag) })),
);

/** Deletes a customer, if it still has the state with the tag; null is for any. */
export const deleteCustomer = mutation(CHANGES, (customerId: string, tag: string | null) =>
  api.DELETE('/api/v1/customers/{customerId}', { params: pathOf(customerId), headers: ifMatch(tag) }),
);

/** One request of an act on many devices, which has the changes read at its end. */
export const postCustomerDevices = (customerId: string, deviceIds: string[]) =>
  api.POST('/api/v1/customers/{customerId}/devices', { params: pathOf(customerId), body: { deviceIds, removeDeviceIds: [] } });

export const addToCustomer = mutation(
  CHANGES,
  (customerId: string, deviceIds: readonly string[]) => inParts(deviceIds, (part) => postCustomerDevices(customerId, part)),
  { alsoAfterFailure: true },
);

/** Takes devices out of a customer. `onTakenOut` learns which are out, also if others cannot be taken out. */
export const takeOutOfCustomer = mutation(
  CHANGES,
  (customerId: string, deviceIds: readonly string[], onTakenOut: (part: readonly string[]) => void) =>
    inParts(deviceIds, async (removeDeviceIds) => {
      await api.POST('/api/v1/customers/{customerId}/devices', { params: pathOf(customerId), body: { deviceIds: [], removeDeviceIds } });
      onTakenOut(removeDeviceIds);
    }),
  { alsoAfterFailure: true },
);
