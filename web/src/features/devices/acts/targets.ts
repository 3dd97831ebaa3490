import { queryClient } from '../../../api/queries.js';
import { nameOf } from '../../../parts/devices/columns.js';
import type { Device, DeviceSearch } from '../../../model/devices/device-search.js';
import { devicesQuery } from '../../../api/devices/device-list.js';
import { steadySort } from '../steady-sort.js';
import type { Target } from './act.js';

/** Devices that can be chosen at once. */
export const MOST_CHOSEN = 10_000;
/** As many devices as the service answers at once. */
const PAGE_SIZE = 1000;

export const targetOf = (device: Device): Target => ({
  id: device.id,
  name: nameOf(device),
  macAddresses: device.macAddresses ?? [],
});

/** Chosen devices by their ids, out of the rows that were loaded. */
export function targetsOf(ids: readonly string[]): Target[] {
  const rows = new Map<string, Device>();
  for (const [, page] of queryClient.getQueriesData<{ readonly items: readonly Device[] | null }>({ queryKey: ['devices', 'search'] })) {
    for (const device of page?.items ?? []) rows.set(device.id, device);
  }
  return ids.map((id) => {
    const device = rows.get(id);
    return device === undefined ? { id, name: id, macAddresses: [] } : targetOf(device);
  });
}

/** The ids of all devices that match, up to those that can be chosen at once. */
export async function matchingIds(search: DeviceSearch): Promise<string[]> {
  const steady = { ...search, sort: steadySort(search.sort) };
  const ids: string[] = [];
  for (let page = 0; ids.length < MOST_CHOSEN; page += 1) {
    const { items, totalItems } = await queryClient.fetchQuery(devicesQuery(steady, page, PAGE_SIZE));
    ids.push(...(items ?? []).map(({ id }) => id));
    if ((items ?? []).length === 0 || ids.length >= totalItems) break;
  }
  return ids.slice(0, MOST_CHOSEN);
}
