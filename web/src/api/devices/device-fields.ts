import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { FRESH } from '../queries.js';
import { ifMatch, versionOf } from '../versioned.js';

/*
 * Fields that the tenant defines for its devices. Their values are in `device-notes.ts`.
 */

export type DeviceField = Schemas['DeviceFieldDto'];
export type DeviceFieldType = DeviceField['type'];

/** The resources of both: the notes of a device show its values in the order of the fields. */
const CHANGES = ['device-fields', 'device-notes'] as const;

const pathOf = (fieldId: string) => ({ path: { fieldId } });

/** The fields in their order. */
export const deviceFieldsQuery = queryOptions({
  queryKey: ['device-fields', 'list'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/inventory/fields', { signal }))).items,
  staleTime: FRESH.list,
});

/** Reads a field as it is stored now. */
export const readDeviceField = (fieldId: string) => versionOf(api.GET('/api/inventory/fields/{fieldId}', { params: pathOf(fieldId) }));

export const createDeviceField = mutation(CHANGES, (body: Schemas['CreateDeviceFieldRequestDto']) =>
  api.POST('/api/inventory/fields', { body }),
);

/** Changes a field, if it still has the state with the tag of an answer; null is for any. */
export const updateDeviceField = mutation(CHANGES, (fieldId: string, body: Schemas['UpdateDeviceFieldRequestDto'], state: string | null) =>
  versionOf(api.PUT('/api/inventory/fields/{fieldId}', { params: pathOf(fieldId), body, headers: ifMatch(state) })),
);

/** Deletes a field with its values, if it still has the state with the tag of an answer; null is for any. */
export const deleteDeviceField = mutation(CHANGES, (fieldId: string, state: string | null) =>
  api.DELETE('/api/inventory/fields/{fieldId}', { params: pathOf(fieldId), headers: ifMatch(state) }),
);
