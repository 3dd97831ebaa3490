import { queryOptions } from '@tanstack/react-query';

import { api, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { queryClient } from '../queries.js';
import { ifMatch, versionOf } from '../versioned.js';

/*
 * What people write about a device: its note, and its values of the tenant's fields.
 */

export type DeviceNotes = Schemas['DeviceNotesDto'];

const pathOf = (deviceId: string) => ({ path: { deviceId } });

/** Reads the notes of a device with the tag of their state. */
export const readDeviceNotes = (deviceId: string, signal?: AbortSignal) =>
  versionOf(api.GET('/api/inventory/devices/{deviceId}/notes', { params: pathOf(deviceId), signal }));

/** The notes of a device with the tag of their state. */
export const deviceNotesQuery = (deviceId: string) =>
  queryOptions({ queryKey: ['device-notes', deviceId], queryFn: ({ signal }) => readDeviceNotes(deviceId, signal) });

/** Changes the notes of a device, if they still have the state with the tag of an answer; null is for any. The page shows them at once. */
export const saveDeviceNotes = mutation(
  ['device-notes', 'devices'],
  async (deviceId: string, body: Schemas['ChangeDeviceNotesRequestDto'], state: string | null) => {
    const saved = await versionOf(
      api.PATCH('/api/inventory/devices/{deviceId}/notes', { params: pathOf(deviceId), body, headers: ifMatch(state) }),
    );
    queryClient.setQueryData(deviceNotesQuery(deviceId).queryKey, saved);
    return saved;
  },
);
