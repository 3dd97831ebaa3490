import type { Schemas } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { invokeIfLive, onHubBack, onPush, startHub } from './hub.js';

/*
 * The subscriptions of the device feed at the hub. This code is loaded after the first devices that a page shows.
 */

/** Devices in one call, as the contract allows. */
const CALL_SIZE = 100;

type Device = Schemas['DeviceResponseDto'];

/** The part of the feed that follows the hub. */
interface Feed {
  /** Takes a state of a device. */
  readonly take: (device: Device) => void;
  /** The newest state that the feed has of a device. */
  readonly stateOf: (id: string) => Device | undefined;
  /** The devices that pages show. */
  readonly shown: () => string[];
}

const callsOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / CALL_SIZE) }, (_, call) => ids.slice(call * CALL_SIZE, (call + 1) * CALL_SIZE));

/** The devices that pages show. */
let shown: Feed['shown'] = () => [];

/** Brings pushes to the feed, also after each loss of the connection. */
export function follow(feed: Feed): void {
  ({ shown } = feed);
  // In JSON, instants are texts, as in the answers of the API.
  onPush('ReceiveDeviceUpdate', (pushed) => feed.take(pushed as unknown as Device));
  onHubBack(() => void catchUp(feed));
}

/** Subscribes to those of the devices that pages still show once the connection is there. */
export async function subscribeTo(ids: readonly string[]): Promise<void> {
  await startHub();
  const wanted = new Set(shown());
  await callForAll(
    'SubscribeToDeviceHeartbeats2',
    ids.filter((id) => wanted.has(id)),
  );
}

export const unsubscribeFrom = (ids: readonly string[]): Promise<void> => callForAll('UnsubscribeFromDeviceHeartbeats2', ids);

/**
 * Calls a method for devices, all calls at once: one that waited for the answer to another could come after a newer one about the same
 * device. A call that fails is lost with its connection; after the next one everything is subscribed to again.
 */
async function callForAll(
  method: 'SubscribeToDeviceHeartbeats2' | 'UnsubscribeFromDeviceHeartbeats2',
  ids: readonly string[],
): Promise<void> {
  await Promise.all(callsOf(ids).map((deviceIds) => invokeIfLive(method, { deviceIds })));
}

/**
 * Subscribes again, and reads the lists of devices again: a device that has gone since the loss of the connection pushes nothing that would
 * say so. What is pushed during that is newer.
 */
async function catchUp({ take, stateOf }: Feed): Promise<void> {
  const ids = shown();
  await callForAll('SubscribeToDeviceHeartbeats2', ids);
  const before = new Map(ids.map((id) => [id, stateOf(id)]));
  const begun = Date.now();
  const lists = { queryKey: ['devices', 'search'], type: 'active' } as const;
  await queryClient.refetchQueries(lists);
  for (const { state } of queryClient.getQueryCache().findAll(lists)) {
    if (state.dataUpdatedAt < begun) continue;
    for (const device of (state.data as { readonly items?: readonly Device[] | null } | undefined)?.items ?? [])
      if (before.has(device.id) && before.get(device.id) === stateOf(device.id)) take(device);
  }
}
