import { useRouter } from '@tanstack/react-router';
import { ArrowUpFromLine, Power, RotateCcw, RotateCw, Sunrise, Trash2, Unplug } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { deviceQuery } from '../../../api/devices/devices.js';
import { devicesChanged } from '../../../api/devices/device-mutations.js';
import { queryClient } from '../../../api/queries.js';
import { ActDialog } from '../../../ui/confirm/ActDialog.js';
import { DeleteDialog } from '../../../ui/confirm/DeleteDialog.js';
import type { MenuEntry } from '../../../ui/menu/entries.js';
import { MenuButton } from '../../../ui/menu/MenuButton.js';
import { changePower, deleteDevice, type PowerAct, uninstallAgent, useAgentUpdate, useRefresh, useWake } from '../commands.js';
import { useWayOut } from '../../../ui/states/way-out.js';
import { useCurrentDevice } from '../current-device.js';
import { type Device, nameOf } from '../../../model/devices/device.js';
import { actsOf, useOffer } from '../../../parts/palette/offers.js';
import { DEVICE_TABS } from '../tabs.js';
import { t } from '../texts.js';
import type { PermissionName } from '../../../model/permissions/names.js';
import { DEVICE_CHECKS } from '../versions.js';

type Question = PowerAct | 'uninstall' | 'delete';

/** Menu of actions on the device itself. Those that cannot be undone ask first. */
export function DeviceActions(): ReactNode {
  const { device, name, can } = useCurrentDevice();
  const session = useSession();
  const router = useRouter();
  const wayOut = useWayOut(`/devices/${device.id}`);
  const refresh = useRefresh();
  const wake = useWake();
  const update = useAgentUpdate();
  const [question, setQuestion] = useState<Question | null>(null);

  const offline = device.isOnline ? {} : { disabled: true, hint: t('is-offline') };
  const ask = (each: Question) => () => setQuestion(each);
  const offered = (permission: PermissionName, entry: MenuEntry): MenuEntry[] => (can(permission) ? [entry] : []);
  const entries: readonly MenuEntry[] = [
    { label: t('refresh'), icon: RotateCw, onSelect: () => refresh.mutate(), ...offline },
    ...(device.isOnline ? [] : offered('device.wake.send', { label: t('wake'), icon: Sunrise, onSelect: () => wake.mutate() })),
    null,
    ...offered('device.power.manage', { label: t('restart'), icon: RotateCcw, onSelect: ask('restart'), ...offline }),
    ...offered('device.power.manage', { label: t('shutdown'), icon: Power, onSelect: ask('shutdown'), ...offline }),
    null,
    ...offered('device.agent.update', { label: t('update-agent'), icon: ArrowUpFromLine, onSelect: () => update.mutate(), ...offline }),
    ...offered('device.delete', { label: t('uninstall'), icon: Unplug, danger: true, onSelect: ask('uninstall'), ...offline }),
    ...offered('device.delete', { label: t('delete'), icon: Trash2, danger: true, onSelect: ask('delete') }),
  ];
  const tabs = DEVICE_TABS.filter(({ isOffered }) => isOffered(can, session)).map(({ id, to, icon }) => ({
    label: t(id),
    icon,
    href: router.buildLocation({ to, params: { deviceId: device.id } }).href,
  }));
  useOffer({ heading: name, acts: [...tabs, ...actsOf(entries)], scope: `Device:${device.id}` });
  const close = (): void => setQuestion(null);
  const users = device.currentUsers;
  const leave = async ({ id }: Device): Promise<void> => {
    await wayOut();
    queryClient.removeQueries({ queryKey: deviceQuery(id).queryKey });
    await devicesChanged();
  };
  return (
    <>
      <MenuButton label={t('more')} hideLabel look="plain" entries={entries} />
      <ActDialog<PowerAct>
        subject={question === 'restart' || question === 'shutdown' ? question : null}
        onClose={close}
        title={(act) => t(`${act}-title`, { name })}
        text={() => (users.length === 0 ? t('power-text') : t('power-text-users', { users: users.join(', ') }))}
        action={(act) => t(act)}
        act={(act) => changePower(device, act)}
      />
      <DeleteDialog
        subject={question === 'uninstall' ? device : null}
        onClose={close}
        nameOf={nameOf}
        title={(shown) => t('uninstall-title', { name: nameOf(shown) })}
        text={() => t('uninstall-text')}
        action={() => t('uninstall')}
        act={uninstallAgent}
      />
      <DeleteDialog
        subject={question === 'delete' ? device : null}
        onClose={close}
        nameOf={nameOf}
        title={(shown) => t('delete-title', { name: nameOf(shown) })}
        text={() => t('delete-text')}
        action={() => t('delete')}
        checks={DEVICE_CHECKS}
        act={deleteDevice}
        onDone={leave}
      />
    </>
  );
}
