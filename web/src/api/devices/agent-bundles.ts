import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';

export type AgentBundle = Schemas['AgentBundleDto'];

/** While a bundle is built, the service is asked this often. */
const BUILDING_MS = 2000;

/** True while the service works on a bundle. */
export const isUnderWay = ({ state }: AgentBundle): boolean => state === 'Building' || state === 'Waiting';

/** The bundles of the service's own agent, read again and again while one is built. */
export const agentBundlesQuery = queryOptions({
  queryKey: ['agent-bundles'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/agent-bundles', { signal })),
  staleTime: 0,
  refetchInterval: ({ state: { data } }) => (data?.items.some(isUnderWay) === true ? BUILDING_MS : false),
});

/** Has the service build the bundle of a platform. */
export const buildBundle = mutation(['agent-bundles'], (platform: string) =>
  api.POST('/account/agent-bundles/{platform}/build', { params: { path: { platform } } }),
);
