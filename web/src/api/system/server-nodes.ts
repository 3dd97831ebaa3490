import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';

export type ServerNodes = Schemas['ServerNodesResponseDto'];
export type ServerNode = Schemas['ServerNodeDto'];

/** Interval at which the list is read while it is shown, in milliseconds. */
const REFRESH_MS = 5_000;

/** The nodes of the server, and NATS between them. */
export const serverNodesQuery = queryOptions({
  queryKey: ['server-nodes'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/server-nodes', { signal })),
  staleTime: 0,
  refetchInterval: REFRESH_MS,
});
