import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { FolderOpen, type IconNode, MonitorPlay, SquareTerminal } from 'lucide';
import { type ReactNode, useState } from 'react';

import { keysOf } from '../../../keyboard/shortcuts.js';
import type { MenuEntry } from '../../../ui/menu/entries.js';
import { MenuPopup } from '../../../ui/menu/MenuPopup.js';
import { devicePermissionsQuery } from '../../../api/devices/device-permissions.js';
import { newId } from '../../../state/new-id.js';
import { nameOf } from '../../../parts/devices/columns.js';
import type { Device } from '../../../model/devices/device-search.js';
import { type Kind, NEEDS_CONNECTION } from './act.js';
import type { Wish } from './ActRun.js';
import { ICONS } from './icons.js';
import { useOffered } from './offered.js';
import { targetOf } from './targets.js';
import { t } from './texts.js';
import type { PermissionName } from '../../../model/permissions/names.js';
import { SCREEN_PERMISSIONS } from '../../../model/permissions/screen-permissions.js';

/** A menu that is asked for: of which device, and where. */
export interface RowMenuPlace {
  readonly device: Device;
  /** Position of the pointer; null by the keyboard. */
  readonly pointer: { readonly x: number; readonly y: number } | null;
  readonly row: HTMLElement;
}

interface RowMenuProps {
  readonly place: RowMenuPlace;
  readonly onWish: (wish: Wish) => void;
  readonly onClosed: () => void;
}

const TABS = [
  { id: 'terminal', to: '/devices/$deviceId/terminal', permissions: ['device.terminal.use'], icon: SquareTerminal },
  { id: 'files', to: '/devices/$deviceId/files', permissions: ['device.file-system.read'], icon: FolderOpen },
  { id: 'screen', to: '/devices/$deviceId/screen', permissions: SCREEN_PERMISSIONS, icon: MonitorPlay },
] as const satisfies readonly {
  readonly id: string;
  readonly to: string;
  /** One of them is enough. */
  readonly permissions: readonly PermissionName[];
  readonly icon: IconNode;
}[];

/** Actions on one device of the list. */
export function RowMenu({ place: { device, pointer, row }, onWish, onClosed }: RowMenuProps): ReactNode {
  const router = useRouter();
  const [isOpen, setOpen] = useState(true);
  const { data: permissions } = useQuery(devicePermissionsQuery(device.id));
  const isOffered = useOffered(permissions);
  if (permissions === undefined) return null;

  const act = (kind: Kind): MenuEntry[] =>
    isOffered(kind)
      ? [
          {
            label: t(kind),
            icon: ICONS[kind],
            danger: kind === 'uninstall' || kind === 'delete',
            onSelect: () => onWish({ id: newId(), kind, targets: [targetOf(device)] }),
            ...(NEEDS_CONNECTION.has(kind) && !device.isOnline && { disabled: true, hint: t('is-offline') }),
          },
        ]
      : [];
  const tabs: readonly MenuEntry[] = TABS.filter((tab) => tab.permissions.some((permission) => permissions.has(permission))).map(
    ({ id, to, icon }) => ({
      label: t(`open-${id}`),
      icon,
      shortcut: keysOf(`open-${id}`),
      href: router.buildLocation({ to, params: { deviceId: device.id } }).href,
    }),
  );
  const entries: readonly MenuEntry[] = [
    { group: nameOf(device), entries: tabs },
    null,
    ...act('refresh'),
    ...(device.isOnline ? [] : act('wake')),
    ...act('restart'),
    ...act('shutdown'),
    ...act('update'),
    null,
    ...act('tag'),
    ...act('customer'),
    ...act('group'),
    null,
    ...act('uninstall'),
    ...act('delete'),
  ];
  const anchor = {
    getBoundingClientRect: () => (pointer === null ? row.getBoundingClientRect() : new DOMRect(pointer.x, pointer.y, 0, 0)),
  };
  return (
    <MenuPopup
      open={isOpen}
      onOpenChange={(isNext) => {
        setOpen(isNext);
        if (!isNext) onClosed();
      }}
      entries={entries}
      anchor={anchor}
      opener={() => row}
      label={t('menu', { name: nameOf(device) })}
    />
  );
}
