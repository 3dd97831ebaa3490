import type { LinkProps } from '@tanstack/react-router';

import { createCustomer, deleteCustomer, readCustomer, updateCustomer } from '../../api/devices/customers.js';
import { createDeviceGroup, deleteDeviceGroup, readDeviceGroup, updateDeviceGroup } from '../../api/devices/device-groups.js';
import { createTag, deleteTag, readTag, renameTag } from '../../api/devices/tags.js';
import { listQuery, type RowOf } from '../../api/lists.js';
import { FRESH } from '../../api/queries.js';
import type { Versioned } from '../../state/versioned.js';
import type { DeviceSearch } from '../../model/devices/device-search.js';
import type { PermissionName } from '../../model/permissions/names.js';

/*
 * Groupings of devices: customers, groups and tags. Each has a name and is made, changed and deleted in the same way; their differences are
 * here.
 */

export type Kind = 'customers' | 'device-groups' | 'tags';

/** Texts of an entry besides its name, which only some kinds have. */
type Text = 'description' | 'notes';

/** One of them, as its list shows it. */
export interface Entry extends EntryValues {
  readonly id: string;
  /** Devices in it; null where the list does not count them. */
  readonly deviceCount: number | null;
}

/** Form values of a new or changed entry. Texts that its kind lacks are null. */
export interface EntryValues extends Readonly<Record<Text, string | null>> {
  readonly name: string;
}

/** The service's answer for an entry: not every kind has each text. */
type Stored = Pick<EntryValues, 'name'> & Partial<EntryValues>;

export interface Resource {
  readonly writePermission: PermissionName;
  /** Kind of scope that permissions can be given at; tags are none. */
  readonly scopeKind?: 'CustomerTenant' | 'DeviceGroup';
  /** Tags have a name only. */
  readonly texts: readonly Text[];
  create(this: void, values: EntryValues): Promise<unknown>;
  /** One of them as it is stored now. */
  read(this: void, id: string): Promise<Versioned<Stored>>;
  /** Changes it, if it still has the state with the tag; null is for any. */
  update(this: void, id: string, values: EntryValues, tag: string | null): Promise<Versioned<Stored>>;
  remove(this: void, id: string, tag: string | null): Promise<unknown>;
  /** Its own page. */
  page(this: void, id: string): LinkProps;
  /** The list of its devices. */
  search(this: void, id: string): DeviceSearch;
}

export const RESOURCES: Readonly<Record<Kind, Resource>> = {
  customers: {
    writePermission: 'tenant.customers.write',
    scopeKind: 'CustomerTenant',
    texts: ['description', 'notes'],
    create: createCustomer,
    read: readCustomer,
    update: updateCustomer,
    remove: deleteCustomer,
    page: (customerId) => ({ to: '/customers/$customerId', params: { customerId } }),
    search: (customer) => ({ customer }),
  },
  'device-groups': {
    writePermission: 'tenant.device-groups.write',
    scopeKind: 'DeviceGroup',
    texts: ['description'],
    create: ({ name, description }) => createDeviceGroup({ name, description }),
    read: readDeviceGroup,
    update: (deviceGroupId, { name, description }, tag) => updateDeviceGroup(deviceGroupId, { name, description }, tag),
    remove: deleteDeviceGroup,
    page: (deviceGroupId) => ({ to: '/device-groups/$deviceGroupId', params: { deviceGroupId } }),
    search: (group) => ({ group: [group] }),
  },
  tags: {
    writePermission: 'tenant.tags.write',
    texts: [],
    create: ({ name }) => createTag(name),
    read: readTag,
    update: (tagId, { name }, tag) => renameTag(tagId, name, tag),
    remove: deleteTag,
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
