import type { LinkProps } from '@tanstack/react-router';

import { api } from '../../api/client.js';
import { listQuery, type RowOf } from '../../api/lists.js';
import { FRESH } from '../../api/queries.js';
import type { DeviceSearch } from '../../model/devices/device-search.js';
import type { PermissionName } from '../../model/permissions/names.js';

/*
 * What devices are ordered by: customers, groups and tags. Each has a name and is made, changed and deleted in the same way; what differs
 * stands here.
 */

export type Kind = 'customers' | 'device-groups' | 'tags';

/** What some kinds say of an entry besides its name. */
type Text = 'description' | 'notes';

/** One of them, as its list shows it. */
export interface Entry extends EntryValues {
  readonly id: string;
  /** Devices in it; null where the list does not count them. */
  readonly deviceCount: number | null;
}

/** What is typed to make or change one. What its kind does not say is null. */
export interface EntryValues extends Readonly<Record<Text, string | null>> {
  readonly name: string;
}

export interface Resource {
  readonly writePermission: PermissionName;
  /** Tags have a name only. */
  readonly texts: readonly Text[];
  create(this: void, values: EntryValues): Promise<unknown>;
  update(this: void, id: string, values: EntryValues): Promise<unknown>;
  remove(this: void, id: string): Promise<unknown>;
  /** Its own page. */
  page(this: void, id: string): LinkProps;
  /** The list of its devices. */
  search(this: void, id: string): DeviceSearch;
}

export const RESOURCES: Readonly<Record<Kind, Resource>> = {
  customers: {
    writePermission: 'tenant.customers.write',
    texts: ['description', 'notes'],
    create: (body) => api.POST('/api/v1/customers', { body }),
    update: (customerId, body) => api.PUT('/api/v1/customers/{customerId}', { params: { path: { customerId } }, body }),
    remove: (customerId) => api.DELETE('/api/v1/customers/{customerId}', { params: { path: { customerId } } }),
    page: (customerId) => ({ to: '/customers/$customerId', params: { customerId } }),
    search: (customer) => ({ customer }),
  },
  'device-groups': {
    writePermission: 'tenant.device-groups.write',
    texts: ['description'],
    create: ({ name, description }) => api.POST('/api/v1/device-groups', { body: { name, description } }),
    update: (deviceGroupId, { name, description }) =>
      api.PUT('/api/v1/device-groups/{deviceGroupId}', { params: { path: { deviceGroupId } }, body: { name, description } }),
    remove: (deviceGroupId) => api.DELETE('/api/v1/device-groups/{deviceGroupId}', { params: { path: { deviceGroupId } } }),
    page: (deviceGroupId) => ({ to: '/device-groups/$deviceGroupId', params: { deviceGroupId } }),
    search: (group) => ({ group: [group] }),
  },
  tags: {
    writePermission: 'tenant.tags.write',
    texts: [],
    create: ({ name }) => api.POST('/api/v1/tags', { body: { name, type: 'Permission' } }),
    update: (tagId, { name }) => api.PUT('/api/v1/tags/{tagId}', { params: { path: { tagId } }, body: { name } }),
    remove: (tagId) => api.DELETE('/api/v1/tags/{tagId}', { params: { path: { tagId } } }),
    page: (tagId) => ({ to: '/tags/$tagId', params: { tagId } }),
    search: (tag) => ({ tag: [tag] }),
  },
};

/** The lists that count the devices of each entry. */
const LISTS = { customers: 'customers', 'device-groups': 'device-groups', tags: 'tags-with-devices' } as const;

type Row = RowOf<(typeof LISTS)[Kind]>;

function devicesOf(row: Row): number | null {
  if ('memberCount' in row) return row.memberCount;
  return 'deviceCount' in row ? row.deviceCount : (row.deviceIds?.length ?? 0);
}

const entriesOf = (rows: readonly Row[]): readonly Entry[] =>
  rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: 'description' in row ? row.description : null,
    notes: 'notes' in row ? row.notes : null,
    deviceCount: devicesOf(row),
  }));

/** All of a kind. */
export const entriesQuery = (kind: Kind) => ({ ...listQuery(LISTS[kind], FRESH.list), select: entriesOf });
