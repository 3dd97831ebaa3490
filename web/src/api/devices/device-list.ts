import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../client.js';
import { FRESH } from '../queries.js';
import { type DeviceSearch, PAGE_SIZE, toSearchRequest } from '../../model/devices/device-search.js';

/** One page of the devices that match, from the service. */
export const searchDevices = (search: DeviceSearch, page: number, pageSize: number, signal: AbortSignal) =>
  bodyOf(api.POST('/api/v1/devices/search', { body: toSearchRequest(search, page, pageSize), signal }));

/** One page of the devices that match. */
export const devicesQuery = (search: DeviceSearch, page: number, pageSize = PAGE_SIZE) =>
  queryOptions({
    // The shown columns and the name of the view change no answer.
    queryKey: ['devices', 'search', { ...search, cols: undefined, view: undefined }, page, pageSize],
    queryFn: ({ signal }) => searchDevices(search, page, pageSize, signal),
    staleTime: FRESH.list,
  });
