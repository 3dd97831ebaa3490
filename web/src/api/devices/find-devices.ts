import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../client.js';
import { FRESH } from '../queries.js';

/** The first devices that a text finds. */
export const findDevices = async (searchText: string, signal: AbortSignal) =>
  (await bodyOf(api.POST('/api/v1/devices/search', { body: { searchText, page: 0, pageSize: 20 }, signal }))).items ?? [];

/** The same as a query. */
export const foundDevicesQuery = (searchText: string) =>
  queryOptions({
    queryKey: ['devices', 'found', searchText],
    queryFn: ({ signal }) => findDevices(searchText, signal),
    staleTime: FRESH.list,
  });
