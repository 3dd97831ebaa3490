import { useMutation, type UseMutationResult } from '@tanstack/react-query';

import { deleteDevice as sendDelete } from '../../api/devices/device-mutations.js';
import { expectSuccess, invoke } from '../../live/hub.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { useCurrentDevice } from './current-device.js';
import { type Device, nameOf } from '../../model/devices/device.js';
import { t } from './texts.js';

/*
 * Commands that the service passes on to a device. It answers once the command is sent, so each toast says that it was sent, and no more.
 */

/** The power states by their numbers in the contract. */
const POWER = { restart: 1, shutdown: 2 } as const;
export type PowerAct = keyof typeof POWER;

type Command = UseMutationResult<void, Error, void>;

/** Asks the device for a report now. The feed brings it. */
export function useRefresh(): Command {
  const { device } = useCurrentDevice();
  return useMutation({
    mutationFn: async () => void expectSuccess(await invoke('RefreshDeviceInfo2', { deviceId: device.id }), 'device.read', device.id),
    onError: (error) => toastProblem(error),
  });
}

/** Wakes the device by its neighbours; the service says the number of asked ones. */
export function useWake(): Command {
  const { device } = useCurrentDevice();
  return useMutation({
    async mutationFn() {
      const answer = await invoke('SendWakeDevice2', { deviceId: device.id, macAddresses: device.macAddresses });
      expectSuccess(answer, 'device.wake.send', device.id);
      toast(answer.value ?? t('wake-sent'));
    },
    onError: (error) => toastProblem(error),
  });
}

/** Restarts the device or shuts it down. */
export async function changePower(device: Device, act: PowerAct): Promise<void> {
  const answer = await invoke('SendPowerStateChange2', { deviceId: device.id, changeType: POWER[act] });
  expectSuccess(answer, 'device.power.manage', device.id);
  toast(t(`${act}-sent`, { name: nameOf(device) }));
}

/** Makes the agent look for a newer version of itself. */
export function useAgentUpdate(): Command {
  const { device, name } = useCurrentDevice();
  return useMutation({
    async mutationFn() {
      expectSuccess(await invoke('SendAgentUpdateTrigger2', { deviceId: device.id }), 'device.agent.update', device.id);
      toast(t('update-sent', { name }));
    },
    onError: (error) => toastProblem(error),
  });
}

/** Makes the agent remove itself. The service keeps the device. */
export async function uninstallAgent(device: Device): Promise<void> {
  const answer = await invoke('UninstallAgent2', { deviceId: device.id, reason: 'Asked for on the device page.' });
  expectSuccess(answer, 'device.delete', device.id);
  toast(t('uninstall-sent', { name: nameOf(device) }));
}

/** Removes the device from the service, if it still has the state with the tag; null is for any. */
export async function deleteDevice(device: Device, tag: string | null): Promise<void> {
  await sendDelete(device.id, tag);
  toast(t('deleted', { name: nameOf(device) }));
}
