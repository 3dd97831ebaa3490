import type { Schemas } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { delayOf } from './backoff.js';
import { hubState, invoke, invokeIfLive, onHubBack, onPush, startHub } from './hub.js';

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

let feed: Feed | null = null;
/** Number of attempts to subscribe in a row that have failed. */
let failures = 0;
let nextAttempt: ReturnType<typeof setTimeout> | undefined;

const shown = (): string[] => feed?.shown() ?? [];

/** Brings pushes to the feed, also after each loss of the connection. */
export function follow(followed: Feed): void {
  feed = followed;
  // In JSON, instants are texts, as in the answers of the API.
  onPush('ReceiveDeviceUpdate', (pushed) => followed.take(pushed as unknown as Device));
  onHubBack(() => void catchUp());
}

/** Subscribes to those of the devices that pages still show once the connection is there. */
export async function subscribeTo(ids: readonly string[]): Promise<void> {
  await startHub();
  const wanted = new Set(shown());
  await subscribe(ids.filter((id) => wanted.has(id)));
}

/** Ends the subscriptions to devices. A call that fails is lost with its connection. */
export async function unsubscribeFrom(ids: readonly string[]): Promise<void> {
  await Promise.all(callsOf(ids).map((deviceIds) => invokeIfLive('UnsubscribeFromDeviceHeartbeats2', { deviceIds })));
}

/**
 * Subscribes to devices, by all calls at once: one that waited for the answer to another could come after a newer one about the same device.
 * Returns false when the service has refused some of them, as it does without its database: an attempt with all devices follows later.
 */
async function subscribe(ids: readonly string[]): Promise<boolean> {
  const ends = await Promise.all(callsOf(ids).map(hasFailed));
  if (!ends.includes(true)) {
    failures = 0;
    return true;
  }
  clearTimeout(nextAttempt);
  nextAttempt = setTimeout(() => void catchUp(), delayOf(failures));
  failures += 1;
  return false;
}

/** Makes one call to subscribe. True if the service refused it. One that is lost with its connection needs nothing: all are made again then. */
async function hasFailed(deviceIds: readonly string[]): Promise<boolean> {
  const isLive = (): boolean => hubState.get().kind === 'live';
  if (!isLive()) return false;
  try {
    return !(await invoke('SubscribeToDeviceHeartbeats2', { deviceIds: [...deviceIds] })).isSuccess;
  } catch {
    return isLive();
  }
}

/**
 * Subscribes again, and reads the lists of devices again: a device that has gone since the loss of the connection pushes nothing that would
 * say so. What is pushed during that is newer.
 */
async function catchUp(): Promise<void> {
  clearTimeout(nextAttempt);
  if (feed === null) return;
  const { take, stateOf } = feed;
  const ids = shown();
  if (!(await subscribe(ids))) return;
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
