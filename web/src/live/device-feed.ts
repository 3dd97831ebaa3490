import { useCallback, useSyncExternalStore } from 'react';

import type { Schemas } from '../api/client.js';
import { firstPageIsDone } from '../first-load/first-page.js';
import { atSignOut, listenersOf } from '../state/store.js';

/*
 * The live values of devices by id. Each push renders the rows of its device and nothing else. Pages say which devices they show; the
 * feed subscribes to those, and drops those that no page shows any more.
 */

/** A device as the service pushes it: the same as in the answer of a search. */
export type LiveDevice = Schemas['DeviceResponseDto'];

const devices = new Map<string, LiveDevice>();
const pushes = listenersOf<[device: LiveDevice]>();
/** Number of pages that show each device. */
const shown = new Map<string, number>();

type Hub = typeof import('./device-subscriptions.js');
let connected: Promise<Hub> | null = null;

/** The hub, whose pushes come in here from the first call on. Its code is loaded after the first devices that a page shows. */
function connect(): Promise<Hub> {
  connected ??= load().catch((error: unknown) => {
    // The next devices may load it after all.
    connected = null;
    throw error;
  });
  return connected;
}

/** Takes a state of a device. One that comes for a device that no page shows any more would be old when the next page shows it. */
function take(device: LiveDevice): void {
  if (shown.has(device.id)) devices.set(device.id, device);
  pushes.call(device);
}

async function load(): Promise<Hub> {
  await firstPageIsDone;
  const hub = await import('./device-subscriptions.js');
  hub.follow({ take, stateOf: liveDevice, shown: () => [...shown.keys()] });
  return hub;
}

/** Calls back for every push. */
export const onDeviceUpdate = pushes.add;

/** The newest pushed state of a device; undefined before the first push. */
export function useLiveDevice(id: string): LiveDevice | undefined {
  const listen = useCallback(
    (listener: () => void) =>
      pushes.add((device) => {
        if (device.id === id) listener();
      }),
    [id],
  );
  return useSyncExternalStore(listen, () => devices.get(id));
}

/** The newest pushed state of a device, without listening to the next one. */
export const liveDevice = (id: string): LiveDevice | undefined => devices.get(id);

/** Says that a page shows these devices. Returns the release. */
export function showDevices(ids: readonly string[]): () => void {
  const added = ids.filter((id) => {
    const count = shown.get(id) ?? 0;
    shown.set(id, count + 1);
    return count === 0;
  });
  void subscribe(added);
  return () => {
    const gone = ids.filter((id) => {
      const count = (shown.get(id) ?? 1) - 1;
      if (count > 0) shown.set(id, count);
      else shown.delete(id);
      return count <= 0;
    });
    // Devices that the next page shows too stay subscribed: it says so in the same turn.
    setTimeout(() => void unsubscribe(gone.filter((id) => !shown.has(id))), 0);
  };
}

atSignOut(() => {
  devices.clear();
  shown.clear();
});

/** Without the code of the hub nothing is live, as the pill of the connection says; the next devices that are shown try to load it again. */
async function subscribe(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const isFirst = connected === null;
  const hub = await connect().catch(() => null);
  // Devices that were shown while the code could not be loaded have not been subscribed to yet.
  await hub?.subscribeTo(isFirst ? [...shown.keys()] : ids);
}

async function unsubscribe(ids: readonly string[]): Promise<void> {
  for (const deviceId of ids) devices.delete(deviceId);
  if (ids.length === 0 || connected === null) return;
  const hub = await connected.catch(() => null);
  await hub?.unsubscribeFrom(ids);
}
