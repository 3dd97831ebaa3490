import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../client.js';
import { FRESH } from '../queries.js';

/** As many devices as the service tells permissions of at once. */
const IN_ONE_CALL = 100;

/** The permissions that the user holds on any of the first hundred devices. */
export const permissionsOnAnyQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['device-permissions', 'any', ids.slice(0, IN_ONE_CALL)],
    async queryFn({ signal }): Promise<ReadonlySet<string>> {
      const { items } = await bodyOf(api.POST('/account/device-permissions', { body: { deviceIds: ids.slice(0, IN_ONE_CALL) }, signal }));
      return new Set((items ?? []).flatMap(({ permissions }) => permissions ?? []));
    },
    staleTime: FRESH.list,
  });
