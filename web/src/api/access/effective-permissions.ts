import { queryOptions } from '@tanstack/react-query';

import type { Scope } from '../../model/permissions/scopes.js';
import type { Principal } from './permission-assignments.js';
import { api, bodyOf, type Schemas } from '../client.js';

export type Verdict = Schemas['EffectivePermissionQueryResponseDto'];

/** The service's verdict on a principal's permission at a scope. */
export const verdictQuery = (principal: Principal, permissionName: string, scope: Scope) =>
  queryOptions({
    queryKey: ['effective-permissions', principal, permissionName, scope],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/effective-permissions/{principalId}', {
          params: {
            path: { principalId: principal.id },
            query: {
              principalKind: principal.kind,
              permissionName,
              scopeKind: scope.kind,
              ...(scope.id !== null && { scopeId: scope.id }),
            },
          },
          signal,
        }),
      ),
  });
