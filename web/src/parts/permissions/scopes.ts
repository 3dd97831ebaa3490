import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';

import type { Schemas } from '../../api/client.js';
import { findDevices } from '../../api/devices/find-devices.js';
import { deviceQuery } from '../../api/devices/devices.js';
import { listQuery } from '../../api/lists.js';
import { FRESH } from '../../api/queries.js';
import { useCan } from '../../access/can.js';
import { type Scope, scopeKey } from '../../model/permissions/scopes.js';
import { useSession } from '../../access/session.js';
import { t } from './texts.js';

/** Something that permissions can be assigned at. */
export interface NamedScope {
  readonly id: string;
  readonly name: string;
}

const LISTS = { CustomerTenant: 'customers', DeviceGroup: 'device-groups', UserGroup: 'user-groups' } as const;

const namesOf = (rows: readonly NamedScope[]): readonly NamedScope[] => rows.map(({ id, name }) => ({ id, name }));

/** The customers, device groups or user groups, by their names. */
export const scopesQuery = (kind: keyof typeof LISTS) => ({ ...listQuery(LISTS[kind], FRESH.list), select: namesOf });

const deviceName = (alias: string | null | undefined, name: string | null | undefined, id: string): string =>
  [alias, name].find((each) => each !== null && each !== undefined && each !== '') ?? id;

/** The first devices that a text finds. */
export const deviceScopesQuery = (searchText: string) =>
  queryOptions({
    queryKey: ['devices', 'scopes', searchText],
    async queryFn({ signal }): Promise<readonly NamedScope[]> {
      return (await findDevices(searchText, signal)).map(({ id, alias, name }) => ({ id, name: deviceName(alias, name, id) }));
    },
    staleTime: FRESH.list,
  });

interface DeviceScope extends NamedScope {
  readonly customerId: string | null;
}

const deviceScopeOf = ({ id, alias, name, customerId }: Schemas['DeviceResponseDto']): DeviceScope => ({
  id,
  name: deviceName(alias, name, id),
  customerId,
});

/** A device by its name, with the customer that it belongs to. */
export const deviceScopeQuery = (deviceId: string) => ({ ...deviceQuery(deviceId), select: deviceScopeOf });

/** Display names of scopes. Those that the caller cannot read get their kind and id. */
export function useScopeNames(scopes: readonly Scope[]): (scope: Scope) => string {
  const { tenant } = useSession();
  const has = (kind: Scope['kind']): boolean => scopes.some((scope) => scope.kind === kind);
  const customers = useQuery({ ...scopesQuery('CustomerTenant'), enabled: useCan('tenant.customers.read') && has('CustomerTenant') });
  const groups = useQuery({ ...scopesQuery('DeviceGroup'), enabled: useCan('tenant.device-groups.read') && has('DeviceGroup') });
  const userGroups = useQuery({ ...scopesQuery('UserGroup'), enabled: useCan('tenant.user-groups.read') && has('UserGroup') });
  const devices = useQueries({
    queries: scopes.flatMap(({ kind, id }) => (kind === 'Device' && id !== null ? [deviceScopeQuery(id)] : [])),
    combine: (results) => results.flatMap(({ data }) => (data === undefined ? [] : [data])),
  });
  const names = new Map([
    ...(customers.data ?? []).map(({ id, name }) => [scopeKey({ kind: 'CustomerTenant', id }), name] as const),
    ...(groups.data ?? []).map(({ id, name }) => [scopeKey({ kind: 'DeviceGroup', id }), name] as const),
    ...(userGroups.data ?? []).map(({ id, name }) => [scopeKey({ kind: 'UserGroup', id }), name] as const),
    ...devices.map(({ id, name }) => [scopeKey({ kind: 'Device', id }), name] as const),
    [scopeKey({ kind: 'Tenant', id: tenant.id }), tenant.name || t('kind-Tenant')] as const,
    [scopeKey({ kind: 'Server', id: null }), t('kind-Server')] as const,
  ]);
  return (scope) => names.get(scopeKey(scope)) ?? scope.id ?? t(`kind-${scope.kind}`);
}
