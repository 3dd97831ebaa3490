import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';

export type DeviceInventory = Schemas['DeviceInventoryResponseDto'];

/** Time between two looks at who is connected, in milliseconds. Only pages in sight look. */
const LOOK_AGAIN_MS = 20_000;

const pathOf = (deviceId: string) => ({ path: { deviceId } });

/** The inventory that the agent has reported; null for agents that report none. */
export const deviceInventoryQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device-inventory', deviceId],
    queryFn: async ({ signal }): Promise<DeviceInventory | null> =>
      (await bodyOf(api.GET('/api/inventory/devices/{deviceId}/inventory', { params: pathOf(deviceId), signal }))).inventory,
  });

/** Has the agent read its inventory again, and waits until it is stored. */
export const refreshInventory = mutation(['device-inventory'], (deviceId: string) =>
  api.POST('/api/inventory/devices/{deviceId}/inventory/refresh', { params: pathOf(deviceId) }),
);

/** Ends a remote control or VNC session of any user. */
export const endSession = mutation(
  ['device-sessions'],
  ({ deviceId, sessionId }: { readonly deviceId: string; readonly sessionId: string }) =>
    api.DELETE('/api/inventory/devices/{deviceId}/sessions/{sessionId}', { params: { path: { deviceId, sessionId } } }),
);

export type RunningSession = Schemas['RunningSessionDto'];

/** The sessions that run on the device, oldest first. */
export const runningSessionsQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device-sessions', deviceId],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/inventory/devices/{deviceId}/sessions', { params: pathOf(deviceId), signal }))).items,
    staleTime: 0,
    refetchInterval: LOOK_AGAIN_MS,
  });
