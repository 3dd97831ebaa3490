import type { Cell } from '../../../ui/csv-export/csv.js';
import type { ColumnId } from '../../../parts/devices/chosen-columns.js';
import type { Device } from '../../../model/devices/device-search.js';
import { conditionText } from '../condition-texts.js';
import { t } from '../../../parts/devices/texts.js';

/*
 * The list of devices as a file: the shown columns, with their values rather than their look.
 */

interface CsvColumn {
  readonly title: string;
  cellOf(this: void, device: Device, tagNames: ReadonlyMap<string, string>): Cell;
}

const column = (title: string, cellOf: CsvColumn['cellOf']): CsvColumn => ({ title, cellOf });
const list = (values: readonly string[] | null): string => (values ?? []).join(', ');
/** Shares have four digits: the agent measures no more exactly. */
const share = (value: number): number => Math.round(value * 10_000) / 10_000;
const part = (used: number, total: number): number | null => (total > 0 ? share(used / total) : null);

/** Columns of the file for each column of the list. */
const COLUMNS: Readonly<Record<ColumnId, readonly CsvColumn[]>> = {
  name: [
    column(t('column-name'), ({ name }) => name),
    column(conditionText('property-alias'), ({ alias }) => alias),
    column(t('tag'), ({ tagIds }, tagNames) => list((tagIds ?? []).map((id) => tagNames.get(id) ?? id))),
  ],
  state: [column(t('column-state'), ({ isOnline }) => (isOnline ? t('online') : t('offline')))],
  customer: [column(t('column-customer'), ({ customerName }) => customerName)],
  system: [column(t('column-system'), ({ osDescription }) => osDescription)],
  user: [column(t('column-user'), ({ currentUsers }) => list(currentUsers))],
  address: [column(t('column-address'), ({ localIpV4 }) => localIpV4)],
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
  dnsHostName: [column(t('column-dnsHostName'), ({ dnsHostName }) => dnsHostName)],
  localIpV6: [column(t('column-localIpV6'), ({ localIpV6 }) => localIpV6)],
  publicIp: [
    column(conditionText('property-publicIpV4'), ({ publicIpV4 }) => publicIpV4),
    column(conditionText('property-publicIpV6'), ({ publicIpV6 }) => publicIpV6),
  ],
  mac: [column(t('column-mac'), ({ macAddresses }) => list(macAddresses))],
  processors: [column(t('column-processors'), ({ processorCount }) => processorCount)],
  memory: [column(conditionText('property-totalMemory'), ({ totalMemory }) => totalMemory)],
  storage: [column(conditionText('property-totalStorage'), ({ totalStorage }) => totalStorage)],
};

/** The columns of the file for those of the list. The id always comes last, so that each line can be told from all others. */
export const csvColumnsOf = (ids: readonly ColumnId[]): readonly CsvColumn[] => [
  ...ids.flatMap((id) => COLUMNS[id]),
  column(conditionText('property-id'), ({ id }) => id),
];
