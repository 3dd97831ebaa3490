import { readSort, writeSort } from '../../model/devices/device-search.js';
import type { Property } from '../../model/devices/properties.js';

/** Properties that change by the minute. Sorted by them, devices would move between pages while these are read: some would be read twice, some never. */
const UNSTEADY: ReadonlySet<Property> = new Set([
  'isOnline',
  'lastSeen',
  'cpuUtilization',
  'usedMemoryPercent',
  'usedStoragePercent',
  'currentUsers',
]);

/** The order in which all devices of a list are read: its own without properties that change by the minute, then by id. */
export function steadySort(sort: string | undefined): string {
  const keys = readSort(sort).filter(({ property }) => !UNSTEADY.has(property) && property !== 'id');
  return writeSort([...(keys.length === 0 ? readSort('name') : keys.slice(0, 4)), { property: 'id', descending: false }]);
}
