import type { Versioned } from '../../state/versioned.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { changed } from '../queries.js';
import { ifMatch, versionOf } from '../versioned.js';

/*
 * Requests that change devices. Their queries come with the first page, and these do not. What a page shows of the device it changes in the
 * cache by itself, or leaves it first: `devicesChanged` has the lists read once that is done.
 */

/** Reads a device with the tag of its state. */
export const readDevice = (deviceId: string): Promise<Versioned<Schemas['DeviceResponseDto']>> =>
  versionOf(api.GET('/api/v1/devices/{deviceId}', { params: { path: { deviceId } } }));

/** Changes the alias of a device, if it still has the state with the tag; null is for any. An empty one removes it. */
export const setAlias = (deviceId: string, alias: string, tag: string | null) =>
  versionOf(
    api.PATCH('/api/v1/devices/{deviceId}/alias', { params: { path: { deviceId } }, body: { deviceId, alias }, headers: ifMatch(tag) }),
  );

/** Deletes a device, if it still has the state with the tag; null is for any. */
export const deleteDevice = (deviceId: string, tag: string | null): Promise<unknown> =>
  api.DELETE('/api/v1/devices/{deviceId}', { params: { path: { deviceId } }, headers: ifMatch(tag) });

/** Deletes devices. Returns the ids of those that the caller may not delete. */
export const deleteDevices = async (deviceIds: string[]): Promise<readonly string[]> =>
  (await bodyOf(api.POST('/api/v1/devices/delete-many', { body: { deviceIds } }))).failureIds;

export const devicesChanged = (): Promise<void> => changed('devices', 'tags', 'customers', 'device-groups');
