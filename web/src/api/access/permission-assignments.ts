import { queryOptions } from '@tanstack/react-query';

import type { ActHeaders } from '../act.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { changed, FRESH } from '../queries.js';

export type CatalogEntry = Schemas['PermissionCatalogEntryDto'];
export type Preset = Schemas['PermissionPresetDto'];
export type Assignment = Schemas['PermissionAssignmentDto'];
export type PrincipalKind = Schemas['QueriedPrincipalKind'];

/** The principal whose permissions a page shows. */
export interface Principal {
  readonly kind: PrincipalKind;
  readonly id: string;
}

/** Every permission of the service, with the scope kinds at which it can be assigned. */
export const catalogQuery = queryOptions({
  queryKey: ['permission-catalog'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/permission-assignments/catalog', { signal }))).items ?? [],
  staleTime: FRESH.catalog,
});

/** Named sets of permissions. */
export const presetsQuery = queryOptions({
  queryKey: ['permission-presets'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/permission-assignments/presets', { signal }))).items ?? [],
  staleTime: FRESH.catalog,
});

/** Gives a principal the permissions of presets, beside those that it has. */
export const applyPresets = mutation(
  ['permission-assignments', 'users'],
  ({ kind, id }: Principal, presetNames: string[], headers?: ActHeaders) =>
    api.POST('/api/v1/permission-assignments/presets/apply', {
      headers,
      body: { principalKind: kind, principalId: id, presetNames, replaceExisting: false },
    }),
);

/** The part of an assignment about its principal. */
export type AssignmentFields = Schemas['UpdatePermissionAssignmentRequestDto'];

/*
 * Requests of one save, which may take several. Once it is done, or has failed in the middle, `assignmentsChanged` has the changes read.
 */

export const createAssignments = ({ kind, id }: Principal, created: readonly AssignmentFields[]): Promise<unknown> =>
  api.POST('/api/v1/permission-assignments/batch', {
    body: { assignments: created.map((fields) => ({ principalKind: kind, principalId: id, ...fields })) },
  });

export const updateAssignment = (assignmentId: string, fields: AssignmentFields): Promise<unknown> =>
  api.PUT('/api/v1/permission-assignments/{assignmentId}', { params: { path: { assignmentId } }, body: fields });

export const deleteAssignments = (assignmentIds: string[]): Promise<unknown> =>
  api.POST('/api/v1/permission-assignments/batch-delete', { body: { assignmentIds } });

export const assignmentsChanged = (): Promise<void> => changed('permission-assignments', 'effective-permissions', 'users', 'session');
