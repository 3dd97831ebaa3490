import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from './client.js';
import { FRESH } from './queries.js';
import type { Resource } from './resources.js';

/*
 * Lists that many pages read, mainly for names and ids. Each has one entry in the cache, however a page uses it.
 */

interface Rows {
  readonly customers: Schemas['CustomerDto'];
  readonly 'device-groups': Schemas['DeviceGroupDto'];
  readonly 'user-groups': Schemas['UserGroupDto'];
  readonly tags: Schemas['TagResponseDto'];
  /** With the ids of their devices, which may be very many. */
  readonly 'tags-with-devices': Schemas['TagResponseDto'];
}

export type ListName = keyof Rows;
export type RowOf<K extends ListName> = Rows[K];

interface List<R> {
  readonly key: readonly [resource: Resource, part: string];
  read(this: void, signal: AbortSignal): Promise<readonly R[]>;
}

const LISTS: { readonly [K in ListName]: List<Rows[K]> } = {
  customers: {
    key: ['customers', 'list'],
    read: async (signal) => (await bodyOf(api.GET('/api/v1/customers', { signal }))).items ?? [],
  },
  'device-groups': {
    key: ['device-groups', 'list'],
    read: async (signal) => (await bodyOf(api.GET('/api/v1/device-groups', { signal }))).items ?? [],
  },
  'user-groups': {
    key: ['user-groups', 'list'],
    read: async (signal) => (await bodyOf(api.GET('/api/v1/user-groups', { signal }))).items ?? [],
  },
  tags: {
    key: ['tags', 'list'],
    read: async (signal) => (await bodyOf(api.GET('/api/v1/tags', { signal }))).items ?? [],
  },
  'tags-with-devices': {
    key: ['tags', 'with-devices'],
    read: async (signal) => (await bodyOf(api.GET('/api/v1/tags', { params: { query: { includeLinkedIds: true } }, signal }))).items ?? [],
  },
};

/** One of these lists. Names change seldom; a page that shows more of it names a shorter time for which it counts as fresh. */
export const listQuery = <K extends ListName>(name: K, staleTime: number = FRESH.catalog) =>
  queryOptions({ queryKey: LISTS[name].key, queryFn: ({ signal }) => LISTS[name].read(signal), staleTime });
