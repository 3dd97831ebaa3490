import type { Device } from '../../model/devices/device-search.js';
import type { BuiltInColumnId } from './chosen-columns.js';

/** Fields in which the search text is looked for, with the column that shows each. */
const SEARCHED: readonly (readonly [BuiltInColumnId | 'id', (device: Device) => readonly string[]])[] = [
  ['name', (device) => [device.alias ?? '', device.name]],
  ['dnsHostName', (device) => [device.dnsHostName]],
  ['user', (device) => device.currentUsers ?? []],
  ['system', (device) => [device.osDescription]],
  ['publicIp', (device) => [device.publicIpV4]],
  ['address', (device) => [device.localIpV4]],
  ['publicIp', (device) => [device.publicIpV6]],
  ['localIpV6', (device) => [device.localIpV6]],
  ['mac', (device) => device.macAddresses ?? []],
  ['agent', (device) => [device.agentVersion]],
  ['id', (device) => [device.id]],
];

/** Column in which a device matches a search text, or null if its name shows the match. */
export function matchedColumn(
  device: Device,
  q: string | undefined,
): { readonly column: BuiltInColumnId | 'id'; readonly value: string } | null {
  if (q === undefined) return null;
  const wanted = q.trim().toLowerCase();
  for (const [column, valuesOf] of SEARCHED) {
    const value = valuesOf(device).find((each) => each.toLowerCase().includes(wanted));
    if (value !== undefined) return column === 'name' ? null : { column, value };
  }
  return null;
}
