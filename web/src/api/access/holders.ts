import { infiniteQueryOptions } from '@tanstack/react-query';

import type { Scope } from '../../model/permissions/scopes.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { FRESH } from '../queries.js';

export type Holder = NonNullable<Schemas['PermissionHoldersResponseDto']['items']>[number];

/** Holders of a permission at a scope, with the assignment that decides it. */
export const holdersQuery = ({ kind, id }: Scope, permission: string) =>
  infiniteQueryOptions({
    queryKey: ['permission-assignments', 'holders', kind, id, permission],
    queryFn: ({ pageParam, signal }) =>
      bodyOf(
        api.GET('/account/holders', {
          params: { query: { permission, scopeKind: kind, scopeId: id ?? undefined, after: pageParam } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: FRESH.list,
  });
