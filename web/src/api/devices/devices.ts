import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../client.js';
import { FRESH } from '../queries.js';

/** A device as it was last reported. The feed of live devices writes into this entry of the cache. */
export const deviceQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['devices', deviceId],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/devices/{deviceId}', { params: { path: { deviceId } }, signal })),
    staleTime: FRESH.list,
  });
