import { store } from '../state/store.js';
import { onDeviceUpdate, showDevices } from './device-feed.js';
import { isOnlineNow } from './device-state.js';
import { keepHub, onHubBack } from './hub.js';

/*
 * Offline devices whose return the user waits for, for as long as these pages are open.
 */

/** The way to stop waiting, by device. */
const awaited = store<ReadonlyMap<string, () => void>>(new Map(), forgetAll);

/** Calls back once, when the device is online. A hidden page keeps its connection for it. */
export function awaitDevice(deviceId: string, onOnline: () => void): void {
  if (awaited.get().has(deviceId)) return;
  const hear = (isOnline: boolean): void => {
    if (!isOnline || !awaited.get().has(deviceId)) return;
    forgetAwaited(deviceId);
    onOnline();
  };
  const stops = [
    keepHub(),
    showDevices([deviceId]),
    onDeviceUpdate(({ id, isOnline }) => {
      if (id === deviceId) hear(isOnline);
    }),
    onHubBack(() => void isOnlineNow(deviceId).then(hear)),
  ];
  awaited.set(new Map([...awaited.get(), [deviceId, () => stops.forEach((stop) => stop())]]));
}

/** Stops waiting for a device. */
export function forgetAwaited(deviceId: string): void {
  awaited.get().get(deviceId)?.();
  awaited.set(new Map([...awaited.get()].filter(([id]) => id !== deviceId)));
}

function forgetAll(): void {
  for (const deviceId of awaited.get().keys()) forgetAwaited(deviceId);
}

/** True if the return of a device is awaited. */
export const useIsAwaited = (deviceId: string): boolean => awaited.useValue().has(deviceId);
