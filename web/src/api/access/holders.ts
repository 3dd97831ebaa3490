import { infiniteQueryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { FRESH } from '../queries.js';

export type Holder = NonNullable<Schemas['PermissionHoldersResponseDto']['items']>[number];

/** Holders of a permission on a device, with the assignment that decides it. */
export const holdersQuery = (deviceId: string, permission: string) =>
  infiniteQueryOptions({
    queryKey: ['permission-assignments', 'holders', deviceId, permission],
    queryFn: ({ pageParam, signal }) =>
      bodyOf(
        api.GET('/account/holders', {
          params: { query: { permission, scopeKind: 'Device', scopeId: deviceId, after: pageParam } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: FRESH.list,
  });
