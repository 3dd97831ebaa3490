import { api } from '../client.js';
import { mutation } from '../mutation.js';
import { ifMatch, versionOf } from '../versioned.js';
import { inParts } from './in-parts.js';

/*
 * Groups of devices. Their list is one of `lists.ts`, which many pages read.
 */

const CHANGES = ['device-groups', 'devices'] as const;

/** Values of a new or changed group. */
interface DeviceGroupValues {
  readonly name: string;
  readonly description: string | null;
}

const pathOf = (deviceGroupId: string) => ({ path: { deviceGroupId } });

/** Reads a group as it is stored now. */
export const readDeviceGroup = (deviceGroupId: string) =>
  versionOf(api.GET('/api/v1/device-groups/{deviceGroupId}', { params: pathOf(deviceGroupId) }));

export const createDeviceGroup = mutation(CHANGES, (body: DeviceGroupValues) => api.POST('/api/v1/device-groups', { body }));

/** Changes a group, if it still has the state with the tag; null is for any. */
export const updateDeviceGroup = mutation(CHANGES, (deviceGroupId: string, body: DeviceGroupValues, tag: string | null) =>
  versionOf(api.PUT('/api/v1/device-groups/{deviceGroupId}', { params: pathOf(deviceGroupId), body, headers: ifMatch(tag) })),
);

/** Deletes a group, if it still has the state with the tag; null is for any. */
export const deleteDeviceGroup = mutation(CHANGES, (deviceGroupId: string, tag: string | null) =>
  api.DELETE('/api/v1/device-groups/{deviceGroupId}', { params: pathOf(deviceGroupId), headers: ifMatch(tag) }),
);

/** One request of an act on many devices, which has the changes read at its end. */
export const postGroupDevices = (deviceGroupId: string, deviceIds: string[]) =>
  api.POST('/api/v1/device-groups/{deviceGroupId}/members', { params: pathOf(deviceGroupId), body: { deviceIds } });

export const addToDeviceGroup = mutation(
  CHANGES,
  (deviceGroupId: string, deviceIds: readonly string[]) => inParts(deviceIds, (part) => postGroupDevices(deviceGroupId, part)),
  { alsoAfterFailure: true },
);

/** Takes devices out of a group. `onTakenOut` learns which are out, also if others cannot be taken out. */
export const takeOutOfDeviceGroup = mutation(
  CHANGES,
  (deviceGroupId: string, all: readonly string[], onTakenOut: (part: readonly string[]) => void) =>
    inParts(all, async (deviceIds) => {
      await api.DELETE('/api/v1/device-groups/{deviceGroupId}/members', { params: pathOf(deviceGroupId), body: { deviceIds } });
      onTakenOut(deviceIds);
    }),
  { alsoAfterFailure: true },
);
