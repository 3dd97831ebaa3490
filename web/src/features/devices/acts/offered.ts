import { queryOptions } from '@tanstack/react-query';

import { useCan } from '../../../access/can.js';
import { api, bodyOf } from '../../../api/client.js';
import { FRESH } from '../../../api/queries.js';
import { type Kind, PERMISSIONS } from './act.js';

/** As many devices as the service tells permissions of at once. */
const IN_ONE_CALL = 100;

/** The permissions that the user holds on any of the first hundred devices. */
export const permissionsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['device-permissions', 'any', ids.slice(0, IN_ONE_CALL)],
    async queryFn({ signal }): Promise<ReadonlySet<string>> {
      const { items } = await bodyOf(api.POST('/account/device-permissions', { body: { deviceIds: ids.slice(0, IN_ONE_CALL) }, signal }));
      return new Set((items ?? []).flatMap(({ permissions }) => permissions ?? []));
    },
    staleTime: FRESH.list,
  });

/** The acts to offer to a user who holds these permissions on devices. */
export function useOffered(permissions: ReadonlySet<string> | undefined): (kind: Kind) => boolean {
  const mayAssign = useCan('tenant.customers.write');
  const mayGroup = useCan('device-group.assign-devices');
  return (kind) => {
    if (kind === 'customer') return mayAssign;
    if (kind === 'group') return mayGroup;
    return permissions?.has(PERMISSIONS[kind]) === true;
  };
}
