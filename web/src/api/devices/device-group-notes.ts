import { queryOptions } from '@tanstack/react-query';

import { api } from '../client.js';
import { mutation } from '../mutation.js';
import { queryClient } from '../queries.js';
import { ifMatch, versionOf } from '../versioned.js';

const pathOf = (deviceGroupId: string) => ({ path: { deviceGroupId } });

/** Reads the notes of a device group with the tag of their state. */
export const readDeviceGroupNotes = (deviceGroupId: string, signal?: AbortSignal) =>
  versionOf(api.GET('/api/inventory/device-groups/{deviceGroupId}/notes', { params: pathOf(deviceGroupId), signal }));

/** The notes of a device group with the tag of their state. */
export const deviceGroupNotesQuery = (deviceGroupId: string) =>
  queryOptions({
    queryKey: ['device-groups', 'notes', deviceGroupId],
    queryFn: ({ signal }) => readDeviceGroupNotes(deviceGroupId, signal),
  });

/** Changes the notes of a device group, if they still have the state with the tag of an answer; null is for any. */
export const saveDeviceGroupNotes = mutation(['device-groups'], async (deviceGroupId: string, notes: string, state: string | null) => {
  const saved = await versionOf(
    api.PUT('/api/inventory/device-groups/{deviceGroupId}/notes', {
      params: pathOf(deviceGroupId),
      body: { notes },
      headers: ifMatch(state),
    }),
  );
  queryClient.setQueryData(deviceGroupNotesQuery(deviceGroupId).queryKey, saved);
  return saved;
});
