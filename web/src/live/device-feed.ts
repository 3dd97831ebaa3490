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

/** Devices in one call, as the contract allows. */
const CALL_SIZE = 100;

const devices = new Map<string, LiveDevice>();
const pushes = listenersOf<[device: LiveDevice]>();
/** Number of pages that show each device. */
const shown = new Map<string, number>();

type Hub = typeof import('./hub.js');
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

async function load(): Promise<Hub> {
  await firstPageIsDone;
  const hub = await import('./hub.js');
  hub.onPush('ReceiveDeviceUpdate', (pushed) => {
    // In JSON, instants are texts, as in the answers of the API.
    const device = pushed as unknown as LiveDevice;
    devices.set(device.id, device);
    pushes.call(device);
  });
  hub.onHubBack(() => void subscribe([...shown.keys()]));
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

const callsOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / CALL_SIZE) }, (_, call) => ids.slice(call * CALL_SIZE, (call + 1) * CALL_SIZE));

/**
 * A call that fails is lost with its connection; after the next one everything is subscribed to again. Without the code of the hub nothing is
 * live, as the pill of the connection says; the next devices that are shown try to load it again.
 */
async function subscribe(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const isFirst = connected === null;
  const hub = await connect().catch(() => null);
  if (hub === null) return;
  const { invoke, startHub } = hub;
  await startHub();
  // Devices that were shown while the code could not be loaded have not been subscribed to yet.
  for (const deviceIds of callsOf(isFirst ? [...shown.keys()] : ids))
    await invoke('SubscribeToDeviceHeartbeats2', { deviceIds }).catch(() => undefined);
}

async function unsubscribe(ids: readonly string[]): Promise<void> {
  for (const deviceId of ids) devices.delete(deviceId);
  if (ids.length === 0 || connected === null) return;
  const hub = await connected.catch(() => null);
  for (const deviceIds of callsOf(ids)) await hub?.invokeIfLive('UnsubscribeFromDeviceHeartbeats2', { deviceIds });
}
