import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from './client.js';
import { FRESH } from './queries.js';
import { versionOf } from './versioned.js';

export type Tenant = Schemas['TenantSummaryDto'];
export type ServerAlert = Schemas['ServerAlertRequestDto'];
export type Severity = Schemas['MessageSeverity'];
export type ServerStats = Schemas['ServerStatsDto'];

export const tenantsQuery = queryOptions({
  queryKey: ['tenants', 'list'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/tenants', { signal }))).items ?? [],
  staleTime: FRESH.list,
});

/** How often the removals are read again while there are any, in milliseconds. */
const REMOVALS_EVERY_MS = 5_000;

/** The deleted tenants of which rows are still being removed. */
export const removalsQuery = queryOptions({
  queryKey: ['tenants', 'removals'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/tenants/removals', { signal }))).items ?? [],
  staleTime: FRESH.list,
  refetchInterval: ({ state }) => (state.data?.length ? REMOVALS_EVERY_MS : false),
});

/** Objects that are deleted together with a tenant, counted when requested. */
export const tenantContentsQuery = (tenantId: string) =>
  queryOptions({
    // Not below 'tenants': that is read again after the deletion, when this tenant is gone.
    queryKey: ['tenant-contents', tenantId],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/tenants/{tenantId}/contents', { params: { path: { tenantId } }, signal })),
    staleTime: 0,
  });

/** The alert with the tag of its state. */
export const serverAlertQuery = queryOptions({
  queryKey: ['server-alert'],
  queryFn: ({ signal }) => versionOf(api.GET('/api/v1/server-alert', { signal })),
});

/** The figures as they are when the page opens; later ones are pushed. */
export const serverStatsQuery = queryOptions({
  queryKey: ['server-stats'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/server-stats', { signal })),
  staleTime: 0,
});

/** The address signs a browser in, so it is requested each time and not cached. */
export const telemetryAddressQuery = queryOptions({
  queryKey: ['telemetry-address'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/server-logs/get-aspire-url', { signal })),
  staleTime: 0,
  gcTime: 0,
});
