import type { Cell } from '../../../ui/csv-export/csv.js';
import type { ListedValues } from '../../../api/devices/listed-values.js';
import { type BuiltInColumnId, type ColumnId, isFieldColumn } from '../../../parts/devices/chosen-columns.js';
import type { Device } from '../../../model/devices/device-search.js';
import { conditionText } from '../condition-texts.js';
import { columnName } from '../../../parts/devices/column-names.js';
import { t as later } from '../later-texts.js';
import { t } from '../../../parts/devices/texts.js';

/*
 * The list of devices as a file: the shown columns, with their values rather than their look.
 */

/** Data that cells need besides the device. */
interface Around {
  readonly tagNames: ReadonlyMap<string, string>;
  /** The values of fields by the ids of devices. */
  readonly values: ReadonlyMap<string, ListedValues>;
}

interface CsvColumn {
  readonly title: string;
  cellOf(this: void, device: Device, around: Around): Cell;
}

const column = (title: string, cellOf: CsvColumn['cellOf']): CsvColumn => ({ title, cellOf });
const list = (values: readonly string[] | null): string => (values ?? []).join(', ');
/** Shares have four digits: the agent measures no more exactly. */
const share = (value: number): number => Math.round(value * 10_000) / 10_000;
const part = (used: number, total: number): number | null => (total > 0 ? share(used / total) : null);

/** Columns of the file for each column of the list. */
const COLUMNS: Readonly<Record<BuiltInColumnId, readonly CsvColumn[]>> = {
  name: [
    column(columnName('name'), ({ name }) => name),
    column(conditionText('property-alias'), ({ alias }) => alias),
    column(later('tag'), ({ tagIds }, { tagNames }) => list((tagIds ?? []).map((id) => tagNames.get(id) ?? id))),
  ],
  state: [column(columnName('state'), ({ isOnline }) => (isOnline ? t('online') : t('offline')))],
  customer: [column(columnName('customer'), ({ customerName }) => customerName)],
  system: [column(columnName('system'), ({ osDescription }) => osDescription)],
  user: [column(columnName('user'), ({ currentUsers }) => list(currentUsers))],
  address: [column(columnName('address'), ({ localIpV4 }) => localIpV4)],
  health: [
    column(t('cpu'), ({ cpuUtilization }) => share(cpuUtilization)),
    column(conditionText('property-usedMemoryPercent'), ({ usedMemory, totalMemory }) => part(usedMemory, totalMemory)),
    column(conditionText('property-usedStoragePercent'), ({ usedStorage, totalStorage }) => part(usedStorage, totalStorage)),
  ],
  agent: [
    column(conditionText('property-agentVersion'), ({ agentVersion }) => agentVersion),
    column(t('outdated'), ({ isOutdated }) => isOutdated),
  ],
  seen: [column(conditionText('property-lastSeen'), ({ lastSeen }) => lastSeen)],
  dnsHostName: [column(columnName('dnsHostName'), ({ dnsHostName }) => dnsHostName)],
  localIpV6: [column(columnName('localIpV6'), ({ localIpV6 }) => localIpV6)],
  publicIp: [
    column(conditionText('property-publicIpV4'), ({ publicIpV4 }) => publicIpV4),
    column(conditionText('property-publicIpV6'), ({ publicIpV6 }) => publicIpV6),
  ],
  mac: [column(columnName('mac'), ({ macAddresses }) => list(macAddresses))],
  processors: [column(columnName('processors'), ({ processorCount }) => processorCount)],
  memory: [column(conditionText('property-totalMemory'), ({ totalMemory }) => totalMemory)],
  storage: [column(conditionText('property-totalStorage'), ({ totalStorage }) => totalStorage)],
};

/** The column of a field that the tenant defined; none for one that lists do not offer. */
function fieldColumns(id: ColumnId, fieldNames: ReadonlyMap<string, string>): readonly CsvColumn[] {
  const fieldId = id.slice('field-'.length);
  const name = fieldNames.get(fieldId);
  return name === undefined ? [] : [column(name, (device, { values }) => values.get(device.id)?.get(fieldId) ?? null)];
}

/** The columns of the file for those of the list. The id always comes last, so that each line can be told from all others. */
export const csvColumnsOf = (ids: readonly ColumnId[], fieldNames: ReadonlyMap<string, string>): readonly CsvColumn[] => [
  ...ids.flatMap((id) => (isFieldColumn(id) ? fieldColumns(id, fieldNames) : COLUMNS[id])),
  column(conditionText('property-id'), ({ id }) => id),
];
