import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { FolderOpen, type IconNode, Monitor, MonitorPlay, SquareTerminal } from 'lucide';

import { devicesQuery } from '../../api/devices/device-list.js';
import { devicePermissionsQuery } from '../../api/devices/device-permissions.js';
import type { Kind } from '../../features/devices/acts/act.js';
import { NEEDS_CONNECTION, PERMISSIONS } from '../../features/devices/acts/act.js';
import { ICONS } from '../../features/devices/acts/icons.js';
import { targetOf } from '../../features/devices/acts/targets.js';
import { t as actText } from '../../features/devices/acts/texts.js';
import type { Device } from '../../model/devices/device-search.js';
import { writeCondition } from '../../model/devices/device-search.js';
import type { PermissionName } from '../../model/permissions/names.js';
import { beginAct } from './dialog.js';
import { byRank } from './rank.js';
import { type Asked, type Go, MOST, type Row } from './row.js';
import { t } from './texts.js';
import { actsIn } from './typed.js';
import { SCREEN_PERMISSIONS } from '../../model/permissions/screen-permissions.js';
import { newId } from '../../state/new-id.js';

/** Devices that an act is offered on at a time. */
const MOST_ACTED = 3;

/** Acts on a device by their names. Those that need a choice besides are offered on its page. */
const KINDS = ['refresh', 'wake', 'restart', 'shutdown', 'update', 'uninstall', 'delete'] as const satisfies readonly Kind[];
const TABS = {
  terminal: { permissions: ['device.terminal.use'], icon: SquareTerminal },
  files: { permissions: ['device.file-system.read'], icon: FolderOpen },
  screen: { permissions: SCREEN_PERMISSIONS, icon: MonitorPlay },
} as const satisfies Record<string, { readonly permissions: readonly PermissionName[]; readonly icon: IconNode }>;

type ActId = (typeof KINDS)[number] | keyof typeof TABS;

const isTab = (id: ActId): id is keyof typeof TABS => id in TABS;

const ACTS = (): { readonly id: ActId; readonly label: string }[] => [
  ...KINDS.map((id) => ({ id, label: actText(id) })),
  ...(Object.keys(TABS) as (keyof typeof TABS)[]).flatMap((id) => [
    { id, label: actText(`open-${id}`) },
    { id, label: actText(`open-${id}`).split(' ').slice(1).join(' ') },
  ]),
];

const shownName = ({ alias, name }: Device): string => (alias === null || alias === '' ? name : alias);

const detailOf = ({ customerName, isOnline }: Device): string =>
  [customerName, isOnline ? t('online') : t('offline')].filter(Boolean).join(' · ');

export const deviceRow = (id: string, label: string, detail: string | undefined, go: Go, icon: IconNode): Row => ({
  id: `device ${id}`,
  label,
  detail,
  icon,
  run: () => go(`/devices/${id}`),
});

interface Found {
  readonly devices: readonly Device[];
  readonly isBusy: boolean;
  readonly error: unknown;
}

/** The devices that a text finds: those whose names begin with it, and those that have it somewhere, by how well their names fit. */
function useFound(text: string): Found {
  const begins = (property: 'name' | 'alias') => ({ f: [writeCondition({ property, operator: 'starts', value: text })], sort: property });
  const enabled = text !== '';
  const options = { enabled, placeholderData: keepPreviousData } as const;
  const answers = [
    useQuery({ ...devicesQuery(begins('name'), 0, MOST), ...options }),
    useQuery({ ...devicesQuery(begins('alias'), 0, MOST), ...options }),
    useQuery({ ...devicesQuery({ q: text }, 0, MOST), ...options }),
  ];
  const found = new Map(answers.flatMap(({ data }) => data?.items ?? []).map((device) => [device.id, device]));
  return {
    devices: enabled ? byRank(text, [...found.values()], shownName).slice(0, MOST) : [],
    isBusy: enabled && answers.some(({ isFetching }) => isFetching),
    error: enabled ? (answers.map(({ error }) => error).find((error) => error !== null) ?? null) : null,
  };
}

/** The devices that the text names. */
export function useDeviceRows(text: string, go: Go): Asked {
  const { devices, ...progress } = useFound(text);
  return { rows: devices.map((device) => deviceRow(device.id, shownName(device), detailOf(device), go, Monitor)), ...progress };
}

/** Acts on devices that the text names: `restart srv-01`. Only those that the user may do. */
export function useDeviceActRows(text: string, go: Go): Asked {
  const acts = actsIn(text, ACTS());
  const { devices, ...progress } = useFound(acts[0]?.rest ?? '');
  const acted = devices.slice(0, MOST_ACTED);
  const permissions = useQueries({ queries: acted.map(({ id }) => devicePermissionsQuery(id)) });
  const ids = [...new Set(acts.map(({ id }) => id))];
  const rows = ids.flatMap((id) =>
    acted.flatMap((device, at) => {
      const needed: readonly PermissionName[] = isTab(id) ? TABS[id].permissions : [PERMISSIONS[id]];
      const held = permissions[at]?.data;
      return held !== undefined && needed.some((permission) => held.has(permission)) ? [actRow(id, device, go)] : [];
    }),
  );
  return { rows, ...progress, isBusy: progress.isBusy || permissions.some(({ isLoading }) => isLoading) };
}

function actRow(id: ActId, device: Device, go: Go): Row {
  const name = shownName(device);
  if (isTab(id)) {
    return {
      id: `${id} ${device.id}`,
      label: t('act-on', { act: actText(`open-${id}`), name }),
      detail: detailOf(device),
      icon: TABS[id].icon,
      run: () => go(`/devices/${device.id}/${id}`),
    };
  }
  const isOff = NEEDS_CONNECTION.has(id) && !device.isOnline;
  return {
    id: `${id} ${device.id}`,
    label: t('act-on', { act: actText(id), name }),
    detail: isOff ? actText('is-offline') : detailOf(device),
    icon: ICONS[id],
    disabled: isOff,
    run: () => beginAct({ id: newId(), kind: id, targets: [targetOf(device)] }),
  };
}
