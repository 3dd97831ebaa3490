import { api } from '../client.js';
import { mutation } from '../mutation.js';
import { ifMatch, versionOf } from '../versioned.js';
import { forEach } from './in-parts.js';

/*
 * Tags of devices. Their list is one of `lists.ts`, which many pages read.
 */

const CHANGES = ['tags', 'devices'] as const;

const pathOf = (tagId: string) => ({ path: { tagId } });

/** Reads a tag as it is stored now. */
export const readTag = (tagId: string) => versionOf(api.GET('/api/v1/tags/{tagId}', { params: pathOf(tagId) }));

export const createTag = mutation(CHANGES, (name: string) => api.POST('/api/v1/tags', { body: { name, type: 'Permission' } }));

/** Renames a tag, if it still has the state with the tag of an answer; null is for any. */
export const renameTag = mutation(CHANGES, (tagId: string, name: string, state: string | null) =>
  versionOf(api.PUT('/api/v1/tags/{tagId}', { params: pathOf(tagId), body: { name }, headers: ifMatch(state) })),
);

/** Deletes a tag, if it still has the state with the tag of an answer; null is for any. */
export const deleteTag = mutation(CHANGES, (tagId: string, state: string | null) =>
  api.DELETE('/api/v1/tags/{tagId}', { params: pathOf(tagId), headers: ifMatch(state) }),
);

/** One request of an act on many devices, which has the changes read at its end. */
export const postDeviceTag = (deviceId: string, tagId: string) => api.POST('/api/v1/device-tags', { body: { deviceId, tagId } });

const deleteDeviceTag = (deviceId: string, tagId: string) =>
  api.DELETE('/api/v1/device-tags/{deviceId}/{tagId}', { params: { path: { deviceId, tagId } } });

export const addToTag = mutation(
  CHANGES,
  (tagId: string, deviceIds: readonly string[]) => forEach(deviceIds, (deviceId) => postDeviceTag(deviceId, tagId)),
  { alsoAfterFailure: true },
);

/** Takes a tag off devices. `onTakenOut` learns off which it is, also if it cannot be taken off others. */
export const takeOutOfTag = mutation(
  CHANGES,
  (tagId: string, deviceIds: readonly string[], onTakenOut: (part: readonly string[]) => void) =>
    forEach(deviceIds, async (deviceId) => {
      await deleteDeviceTag(deviceId, tagId);
      onTakenOut([deviceId]);
    }),
  { alsoAfterFailure: true },
);

/** Tags one device, whose page shows it already. */
export const tagDevice = mutation(['tags'], postDeviceTag);

/** Takes a tag off one device, whose page shows it already. */
export const untagDevice = mutation(['tags'], deleteDeviceTag);
