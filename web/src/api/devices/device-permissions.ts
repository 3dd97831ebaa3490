import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../client.js';
import { FRESH } from '../queries.js';

/** The permissions that the caller holds on a device. */
export const devicePermissionsQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device-permissions', deviceId],
    async queryFn({ signal }): Promise<ReadonlySet<string>> {
      const { items } = await bodyOf(api.POST('/account/device-permissions', { body: { deviceIds: [deviceId] }, signal }));
      return new Set((items ?? []).flatMap(({ permissions }) => permissions ?? []));
    },
    staleTime: FRESH.list,
  });
