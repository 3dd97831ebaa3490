import { queryOptions } from '@tanstack/react-query';

import type { Scope } from '../../model/permissions/scopes.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { FRESH } from '../queries.js';
import type { Principal } from './permission-assignments.js';

export type HeldPermissions = Schemas['HeldPermissionsResponseDto'];
export type DecidedPermission = Schemas['EffectivePermissionDto'];

/** The assignments of a principal and of its groups, with the names beside them, in one answer. */
export const heldQuery = ({ kind, id }: Principal) =>
  queryOptions({
    queryKey: ['permission-assignments', 'held', kind, id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/account/held-permissions', { params: { query: { principalKind: kind, principalId: id } }, signal })),
  });

/** Every permission of a principal at a scope, decided by the service in one answer. */
export const everythingQuery = ({ kind, id }: Principal, scope: Scope) =>
  queryOptions({
    queryKey: ['effective-permissions', 'everything', kind, id, scope],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/account/effective-permissions', {
          params: {
            query: { principalKind: kind, principalId: id, scopeKind: scope.kind, ...(scope.id !== null && { scopeId: scope.id }) },
          },
          signal,
        }),
      ),
  });

/** The first principals that a text finds, and the one with the id. */
export const principalsQuery = (search: string, principalId: string) =>
  queryOptions({
    queryKey: ['effective-permissions', 'principals', search, principalId],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/account/principals', { params: { query: { principalId, ...(search !== '' && { search }) } }, signal })))
        .items ?? [],
    staleTime: FRESH.list,
  });

/** The permissions and presets that a token can get. */
export const grantableQuery = queryOptions({
  queryKey: ['permission-catalog', 'grantable'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/grantable-permissions', { signal })),
  staleTime: FRESH.catalog,
});
