import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from './client.js';

export type KeyApproval = Schemas['DeviceKeyApprovalResponseDto'];

/** Read again this often: a device can register at any time, and people wait for its approval. */
const POLL_MS = 30_000;

/** The device keys that wait for approval, among the devices that the caller may read. */
export const keyApprovalsQuery = queryOptions({
  queryKey: ['key-approvals', 'list'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/devices/key-approvals', { signal })),
  refetchInterval: POLL_MS,
});

/** As many as the service takes in one call. */
const MOST = 100;

/** The devices among these whose keys the caller may approve. */
export const approvableQuery = (deviceIds: readonly string[]) =>
  queryOptions({
    queryKey: ['device-permissions', 'approvable', ...deviceIds],
    async queryFn({ signal }): Promise<ReadonlySet<string>> {
      const approvable = new Set<string>();
      for (let from = 0; from < deviceIds.length; from += MOST) {
        const body = { deviceIds: deviceIds.slice(from, from + MOST) };
        const { items } = await bodyOf(api.POST('/account/device-permissions', { body, signal }));
        for (const { deviceId, permissions } of items ?? []) if (permissions?.includes('device.agent.update')) approvable.add(deviceId);
      }
      return approvable;
    },
    enabled: deviceIds.length > 0,
    // While one key is decided, the others stay approvable.
    placeholderData: keepPreviousData,
  });
