import { queryClient } from '../../../api/queries.js';
import { nameOf } from '../../../parts/devices/columns.js';
import type { Device, DeviceSearch } from '../../../model/devices/device-search.js';
import { searchDevices } from '../../../api/devices/device-list.js';
import { liveDevice } from '../../../live/device-feed.js';
import { steadySort } from '../steady-sort.js';
import type { Target } from './act.js';

/** As many devices as the service answers at once. */
const PAGE_SIZE = 1000;

/** All devices that a search finds, but some: they are read when something is to be done with them. */
export interface AllFound {
  readonly search: DeviceSearch;
  readonly except: ReadonlySet<string>;
  /** Number of them when they were chosen. */
  readonly count: number;
}

export const targetOf = (device: Device): Target => ({
  id: device.id,
  name: nameOf(device),
  macAddresses: device.macAddresses ?? [],
  isOnline: liveDevice(device.id)?.isOnline ?? device.isOnline,
});

/** Chosen devices by their ids, out of the rows that were loaded. */
export function targetsOf(ids: readonly string[]): Target[] {
  const rows = new Map<string, Device>();
  for (const [, page] of queryClient.getQueriesData<{ readonly items: readonly Device[] | null }>({ queryKey: ['devices', 'search'] })) {
    for (const device of page?.items ?? []) rows.set(device.id, device);
  }
  return ids.map((id) => {
    const device = rows.get(id);
    return device === undefined ? { id, name: id, macAddresses: [], isOnline: true } : targetOf(device);
  });
}

/**
 * Reads all devices that a search finds, page by page, and reports how many it has. They are all read before anything is done with one: an
 * act may change what the search finds.
 */
export async function readAll(
  { search, except }: AllFound,
  report: (count: number) => void,
  signal: AbortSignal,
): Promise<readonly Target[]> {
  const steady = { ...search, sort: steadySort(search.sort) };
  const found = new Map<string, Target>();
  for (let page = 0, total = Infinity; page * PAGE_SIZE < total; page += 1) {
    const { items, totalItems } = await searchDevices(steady, page, PAGE_SIZE, signal);
    total = totalItems;
    for (const device of items ?? []) if (!except.has(device.id)) found.set(device.id, targetOf(device));
    report(found.size);
  }
  return [...found.values()];
}
