import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { formatGibibytes, formatNumber } from '../../i18n/format.js';
import { useLiveDevice } from '../../live/device-feed.js';
import { Badge } from '../../ui/badge/Badge.js';
import type { Column } from '../../ui/grid/layout.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { Status } from '../../ui/status/Status.js';
import { Tags } from '../../ui/tag/Tag.js';
import { type ChosenColumn, COLUMN_IDS, type ColumnId } from './chosen-columns.js';
import css from './columns.module.css';
import type { Device } from '../../model/devices/device-search.js';
import { Health } from './Health.js';
import { matchedColumn } from './matched-column.js';
import { aimAtTab } from './open-device.js';
import { PlatformIcon } from './PlatformIcon.js';
import type { Property } from '../../model/devices/properties.js';
import { t } from './texts.js';

/** Data that cells need besides the device. */
export interface ColumnContext {
  readonly q: string | undefined;
  readonly tagNames: ReadonlyMap<string, string>;
}

interface ColumnDescription {
  readonly width: number;
  readonly grow?: number;
  /** Property that a click on the header sorts by. */
  readonly property?: Property;
  readonly atEnd?: boolean;
  readonly cell: (device: Device, context: ColumnContext) => ReactNode;
}

const list = (values: readonly string[] | null): string => (values ?? []).join(', ');

/** Width, property and cell of each column. The default ones fit next to each other in a window that is 1,024 pixels wide. */
const COLUMNS: Readonly<Record<ColumnId, ColumnDescription>> = {
  name: { width: 130, grow: 1.8, property: 'name', cell: (device, context) => <NameCell device={device} context={context} /> },
  state: { width: 78, grow: 0.5, property: 'isOnline', cell: (device) => <StateCell device={device} /> },
  customer: { width: 80, grow: 1, property: 'customerName', cell: ({ customerName }) => customerName },
  system: { width: 84, grow: 1.8, property: 'osDescription', cell: (device) => <SystemCell device={device} /> },
  user: { width: 64, grow: 0.7, property: 'currentUsers', cell: ({ currentUsers }) => list(currentUsers) },
  address: { width: 130, grow: 0.7, property: 'localIpV4', cell: ({ localIpV4 }) => <span className="figures">{localIpV4}</span> },
  health: { width: 76, grow: 0.55, cell: (device) => <LiveHealth device={device} /> },
  agent: { width: 132, grow: 0.75, property: 'agentVersion', cell: (device) => <AgentCell device={device} /> },
  seen: { width: 96, grow: 0.55, property: 'lastSeen', cell: (device) => <SeenCell device={device} /> },
  dnsHostName: { width: 140, grow: 1, property: 'dnsHostName', cell: ({ dnsHostName }) => dnsHostName },
  localIpV6: { width: 260, property: 'localIpV6', cell: ({ localIpV6 }) => <span className="figures">{localIpV6}</span> },
  publicIp: {
    width: 150,
    property: 'publicIpV4',
    cell: (device) => <span className="figures">{device.publicIpV4 || device.publicIpV6}</span>,
  },
  mac: { width: 150, property: 'macAddresses', cell: ({ macAddresses }) => <span className="mono">{list(macAddresses)}</span> },
  processors: { width: 90, property: 'processorCount', atEnd: true, cell: ({ processorCount }) => formatNumber(processorCount) },
  memory: { width: 110, property: 'totalMemory', atEnd: true, cell: ({ totalMemory }) => formatGibibytes(totalMemory) },
  storage: { width: 110, property: 'totalStorage', atEnd: true, cell: ({ totalStorage }) => formatGibibytes(totalStorage) },
};

/** The columns as the grid takes them. */
export function columnsFor(chosen: readonly ChosenColumn[], context: ColumnContext): Column<Device>[] {
  return chosen.map(({ id, width: given }) => ({
    id,
    title: t(`column-${id}`),
    given,
    width: COLUMNS[id].width,
    grow: COLUMNS[id].grow,
    atEnd: COLUMNS[id].atEnd,
    sortable: COLUMNS[id].property !== undefined,
    cell: (device) => COLUMNS[id].cell(device, context),
  }));
}

/** The property that a column sorts by. */
export const propertyOf = (id: string): Property | undefined => COLUMNS[id as ColumnId].property;

/** The column that shows a property. */
export const columnOf = (property: Property): ColumnId | undefined => COLUMN_IDS.find((id) => COLUMNS[id].property === property);

function NameCell({ device, context: { q, tagNames } }: { readonly device: Device; readonly context: ColumnContext }): ReactNode {
  const match = matchedColumn(device, q);
  const names = (device.tagIds ?? []).map((id) => tagNames.get(id)).filter((name) => name !== undefined);
  return (
    <span className={css.name}>
      <Link
        to="/devices/$deviceId"
        params={{ deviceId: device.id }}
        className={css.link}
        tabIndex={-1}
        onClick={aimAtTab}
        title={device.alias === null ? undefined : device.name}
      >
        {nameOf(device)}
      </Link>
      {match !== null && <span className={css.match}>{t('matched', { field: t(`column-${match.column}`), value: match.value })}</span>}
      {names.length > 0 && <Tags names={names} />}
    </span>
  );
}

/** Display name of a device: its alias if it has one. */
export const nameOf = ({ alias, name }: Pick<Device, 'alias' | 'name'>): string => (alias === null || alias === '' ? name : alias);

function StateCell({ device }: { readonly device: Device }): ReactNode {
  const isOnline = useLiveDevice(device.id)?.isOnline ?? device.isOnline;
  return <Status look={isOnline ? 'online' : 'offline'} />;
}

function SystemCell({ device: { platform, osDescription } }: { readonly device: Device }): ReactNode {
  return (
    <span className={css.system} title={osDescription}>
      <PlatformIcon platform={platform} />
      <span className="cut">{osDescription}</span>
    </span>
  );
}

function LiveHealth({ device }: { readonly device: Device }): ReactNode {
  const live = useLiveDevice(device.id) ?? device;
  return live.isOnline ? <Health device={live} /> : null;
}

function AgentCell({ device: { agentVersion, isOutdated } }: { readonly device: Device }): ReactNode {
  return (
    <span className={css.agent}>
      <span className="figures">{agentVersion}</span>
      {isOutdated && <Badge look="warn">{t('outdated')}</Badge>}
    </span>
  );
}

function SeenCell({ device }: { readonly device: Device }): ReactNode {
  return <RelativeTime at={useLiveDevice(device.id)?.lastSeen ?? device.lastSeen} />;
}

/** One device in two lines, for a phone. */
export function CompactDevice({ device }: { readonly device: Device }): ReactNode {
  const live = useLiveDevice(device.id) ?? device;
  return (
    <div className={css.compact}>
      <div className={css.line}>
        <span className={css.strong}>{nameOf(device)}</span>
        <Status look={live.isOnline ? 'online' : 'offline'} />
      </div>
      <div className={css.line}>
        <span className="meta cut">{[device.customerName, device.osDescription].filter(Boolean).join(' · ')}</span>
        <span className="meta">
          <RelativeTime at={live.lastSeen} />
        </span>
      </div>
    </div>
  );
}
