import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { ProblemError } from '../../problem/problem.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { ifMatch, versionOf } from '../versioned.js';

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

const CHANGES = ['key-approvals', 'devices'] as const;

const pathOf = ({ deviceId }: KeyApproval) => ({ path: { deviceId } });

/** Puts the key in force. A refusal means that the key is another one by now, or that another user has decided. */
export const approveKey = mutation(
  CHANGES,
  (key: KeyApproval) =>
    api.POST('/api/v1/devices/{deviceId}/key-approval', { params: pathOf(key), body: { fingerprint: key.fingerprint ?? '' } }),
  { alsoAfterFailure: true },
);

/**
 * Puts the former key back in force. The request names no key, so that the key is compared first, and must be the same when it is refused:
 * else it throws status 412.
 */
export const refuseKey = mutation(
  CHANGES,
  async (key: KeyApproval) => {
    const params = pathOf(key);
    const now = await versionOf(api.GET('/api/v1/devices/{deviceId}/key-approval', { params }));
    if (now.value.fingerprint !== key.fingerprint) throw new ProblemError(412, {});
    await api.DELETE('/api/v1/devices/{deviceId}/key-approval', { params, headers: ifMatch(now.tag) });
  },
  { alsoAfterFailure: true },
);
