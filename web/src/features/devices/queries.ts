import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../../api/client.js';
import { FRESH } from '../../api/queries.js';
import { type DeviceSearch, PAGE_SIZE, toSearchRequest } from './device-search.js';

/** One page of the devices that match, from the service. */
export const searchDevices = (search: DeviceSearch, page: number, pageSize: number, signal: AbortSignal) =>
  bodyOf(api.POST('/api/v1/devices/search', { body: toSearchRequest(search, page, pageSize), signal }));

/** One page of the devices that match. */
export const devicesQuery = (search: DeviceSearch, page: number, pageSize = PAGE_SIZE) =>
  queryOptions({
    // Which columns are shown, and under which name, changes no answer.
    queryKey: ['devices', 'search', { ...search, cols: undefined, view: undefined }, page, pageSize],
    queryFn: ({ signal }) => searchDevices(search, page, pageSize, signal),
    staleTime: FRESH.list,
  });

/** A device as it was last reported. The feed of live devices writes into this entry of the cache. */
export const deviceQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['devices', deviceId],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/devices/{deviceId}', { params: { path: { deviceId } }, signal })),
    staleTime: FRESH.list,
  });

/** Names and ids of what devices are ordered by. */
export const tagsQuery = queryOptions({
  queryKey: ['tags', 'names'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/tags', { signal }))).items ?? [],
  staleTime: FRESH.catalog,
});

export const customersQuery = queryOptions({
  queryKey: ['customers', 'names'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/customers', { signal }))).items ?? [],
  staleTime: FRESH.catalog,
});

export const deviceGroupsQuery = queryOptions({
  queryKey: ['device-groups', 'names'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/device-groups', { signal }))).items ?? [],
  staleTime: FRESH.catalog,
});
