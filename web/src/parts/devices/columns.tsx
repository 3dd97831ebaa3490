import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useLiveDevice } from '../../live/device-feed.js';
import { Badge } from '../../ui/badge/Badge.js';
import type { Column } from '../../ui/grid/layout.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { Status } from '../../ui/status/Status.js';
import { Tags } from '../../ui/tag/Tag.js';
import { type BuiltInColumnId, type ChosenColumn, COLUMN_IDS, type ColumnId, isDefaultColumn, isFieldColumn } from './chosen-columns.js';
import css from './columns.module.css';
import type { Device } from '../../model/devices/device-search.js';
import { Health } from './Health.js';
import { type CellContext, type ColumnContext, figures, found, list } from './cells.js';
import type { Marks } from './marks.js';
import { aimAtTab } from './open-device.js';
import { PlatformIcon } from './PlatformIcon.js';
import type { Property } from '../../model/devices/properties.js';
import { systemName } from './system-name.js';
import { t } from './texts.js';

interface ColumnDescription {
  readonly width: number;
  readonly prefers?: number;
  readonly grow?: number;
  /** Property that a click on the header sorts by. */
  readonly property?: Property;
  readonly atEnd?: boolean;
  /** Without one, the cell is one of {@link LaterColumns}. */
  readonly cell?: (device: Device, context: CellContext) => ReactNode;
}

/**
 * Width, property and cell of each column. The default ones fit next to each other in a window that is 1,024 pixels wide; the name has the
 * first claim to what is left.
 */
const COLUMNS: Readonly<Record<BuiltInColumnId, ColumnDescription>> = {
  name: {
    width: 150,
    prefers: 248,
    grow: 2,
    property: 'name',
    cell: (device, context) => <NameCell device={device} context={context} />,
  },
  state: { width: 78, grow: 0.3, property: 'isOnline', cell: (device) => <StateCell device={device} /> },
  customer: { width: 72, grow: 1, property: 'customerName', cell: ({ customerName }) => customerName },
  system: { width: 84, grow: 1.5, property: 'osDescription', cell: (device, context) => <SystemCell device={device} context={context} /> },
  user: { width: 60, grow: 0.6, property: 'currentUsers', cell: ({ currentUsers }, context) => found(list(currentUsers), context) },
  address: { width: 126, grow: 0.2, property: 'localIpV4', cell: ({ localIpV4 }, context) => figures(localIpV4, context) },
  health: { width: 76, grow: 0.3, cell: (device) => <LiveHealth device={device} /> },
  agent: { width: 88, grow: 1.2, property: 'agentVersion', cell: (device, context) => <AgentCell device={device} context={context} /> },
  seen: { width: 92, grow: 0.3, property: 'lastSeen', cell: (device) => <SeenCell device={device} /> },
  dnsHostName: { width: 140, grow: 1, property: 'dnsHostName' },
  localIpV6: { width: 260, property: 'localIpV6' },
  publicIp: { width: 150, property: 'publicIpV4' },
  mac: { width: 150, property: 'macAddresses' },
  processors: { width: 90, property: 'processorCount', atEnd: true },
  memory: { width: 110, property: 'totalMemory', atEnd: true },
  storage: { width: 110, property: 'totalStorage', atEnd: true },
};
const FIELD: ColumnDescription = { width: 120, grow: 1 };

const descriptionOf = (id: ColumnId): ColumnDescription => (isFieldColumn(id) ? FIELD : COLUMNS[id]);

/** The columns as the grid takes them. A field that is no longer offered is left out. */
export function columnsFor(chosen: readonly ChosenColumn[], given: ColumnContext): Column<Device>[] {
  const { later } = given;
  const context = { ...given, shown: new Set(chosen.map(({ id }) => id)) };
  return chosen.flatMap(({ id, width }) => {
    const { cell = later?.cell(id), property, ...look } = descriptionOf(id);
    const title = isDefaultColumn(id) ? t(`column-${id}`) : later === undefined ? '' : later.title(id);
    if (title === undefined) return [];
    return { ...look, id, title, given: width, sortable: property !== undefined, cell: (device) => cell?.(device, context) };
  });
}

/** The property that a column sorts by. */
export const propertyOf = (id: string): Property | undefined => descriptionOf(id as ColumnId).property;

/** The column that shows a property. */
export const columnOf = (property: Property): ColumnId | undefined => COLUMN_IDS.find((id) => COLUMNS[id].property === property);

interface CellProps {
  readonly device: Device;
  readonly context: CellContext;
}

function NameCell({ device, context }: CellProps): ReactNode {
  const name = nameOf(device);
  const tags = (device.tagIds ?? []).map((id) => context.tagNames.get(id)).filter((tag) => tag !== undefined);
  return (
    <span className={css.name}>
      <Link
        to="/devices/$deviceId"
        params={{ deviceId: device.id }}
        className={css.link}
        tabIndex={-1}
        onClick={aimAtTab}
        title={name === device.name ? name : `${name} (${device.name})`}
      >
        {found(name, context)}
      </Link>
      {context.marks?.note(device, context.shown) ?? (tags.length > 0 && <Tags names={tags} after={name} />)}
    </span>
  );
}

/** Display name of a device: its alias if it has one. */
export const nameOf = ({ alias, name }: Pick<Device, 'alias' | 'name'>): string => (alias === null || alias === '' ? name : alias);

function StateCell({ device }: { readonly device: Device }): ReactNode {
  const isOnline = useLiveDevice(device.id)?.isOnline ?? device.isOnline;
  return <Status look={isOnline ? 'online' : 'offline'} />;
}

function SystemCell({ device: { platform, osDescription }, context: { marks } }: CellProps): ReactNode {
  const name = systemName(osDescription);
  return (
    <span className={css.system} title={osDescription}>
      <PlatformIcon platform={platform} />
      <span className="cut">{marks?.text(name, osDescription) ?? name}</span>
    </span>
  );
}

function LiveHealth({ device }: { readonly device: Device }): ReactNode {
  const live = useLiveDevice(device.id) ?? device;
  return live.isOnline ? <Health device={live} /> : null;
}

function AgentCell({ device: { agentVersion, isOutdated }, context }: CellProps): ReactNode {
  const version = figures(agentVersion, context);
  if (!isOutdated) return version;
  return (
    <span className={css.agent}>
      {version}
      <Badge look="warn">{t('outdated')}</Badge>
    </span>
  );
}

function SeenCell({ device }: { readonly device: Device }): ReactNode {
  return <RelativeTime at={useLiveDevice(device.id)?.lastSeen ?? device.lastSeen} />;
}

/** The columns that a phone shows in its two lines. */
const IN_TWO_LINES: ReadonlySet<ColumnId> = new Set(['name', 'system']);

/** One device in two lines, for a phone. */
export function CompactDevice({ device, marks }: { readonly device: Device; readonly marks: Marks | undefined }): ReactNode {
  const live = useLiveDevice(device.id) ?? device;
  const name = nameOf(device);
  const system = systemName(device.osDescription);
  return (
    <div className={css.compact}>
      <div className={css.line}>
        <span className={css.strong}>{marks?.text(name) ?? name}</span>
        <Status look={live.isOnline ? 'online' : 'offline'} />
      </div>
      <div className={css.line}>
        <span className="meta cut">
          {marks?.note(device, IN_TWO_LINES) ?? (
            <>
              {device.customerName}
              {device.customerName && system && ' · '}
              {marks?.text(system, device.osDescription) ?? system}
            </>
          )}
        </span>
        <span className="meta">
          <RelativeTime at={live.lastSeen} />
        </span>
      </div>
    </div>
  );
}
