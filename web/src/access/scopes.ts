import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';

import { api, bodyOf } from '../api/client.js';
import { FRESH } from '../api/queries.js';
import { useCan } from './can.js';
import { type Scope, scopeKey } from './matrix/rules.js';
import { useSession } from './session.js';
import { t } from './texts.js';

/** Something that permissions can be assigned at. */
export interface NamedScope {
  readonly id: string;
  readonly name: string;
}

type NamedKind = 'CustomerTenant' | 'DeviceGroup' | 'UserGroup';

const LISTS: Readonly<
  Record<NamedKind, { readonly resource: string; readonly list: (signal: AbortSignal) => Promise<readonly NamedScope[]> }>
> = {
  CustomerTenant: {
    resource: 'customers',
    list: async (signal) => (await bodyOf(api.GET('/api/v1/customers', { signal }))).items ?? [],
  },
  DeviceGroup: {
    resource: 'device-groups',
    list: async (signal) => (await bodyOf(api.GET('/api/v1/device-groups', { signal }))).items ?? [],
  },
  UserGroup: {
    resource: 'user-groups',
    list: async (signal) => (await bodyOf(api.GET('/api/v1/user-groups', { signal }))).items ?? [],
  },
};

/** The customers, device groups or user groups, by their names. */
export const scopesQuery = (kind: NamedKind) =>
  queryOptions({
    queryKey: [LISTS[kind].resource, 'scopes'],
    queryFn: async ({ signal }) => (await LISTS[kind].list(signal)).map(({ id, name }): NamedScope => ({ id, name })),
    staleTime: FRESH.list,
  });

const deviceName = (alias: string | null | undefined, name: string | null | undefined, id: string): string =>
  [alias, name].find((each) => each !== null && each !== undefined && each !== '') ?? id;

/** The first devices that a text finds. */
export const deviceScopesQuery = (searchText: string) =>
  queryOptions({
    queryKey: ['devices', 'scopes', searchText],
    async queryFn({ signal }): Promise<readonly NamedScope[]> {
      const { items } = await bodyOf(api.POST('/api/v1/devices/search', { body: { searchText, page: 0, pageSize: 20 }, signal }));
      return (items ?? []).map(({ id, alias, name }) => ({ id, name: deviceName(alias, name, id) }));
    },
    staleTime: FRESH.list,
  });

/** A device by its name, with the customer that it belongs to. */
export const deviceScopeQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['devices', 'scope', deviceId],
    async queryFn({ signal }): Promise<NamedScope & { readonly customerId: string | null }> {
      const { id, alias, name, customerId } = await bodyOf(
        api.GET('/api/v1/devices/{deviceId}', { params: { path: { deviceId } }, signal }),
      );
      return { id, name: deviceName(alias, name, id), customerId };
    },
    staleTime: FRESH.list,
  });

/** How scopes are called. Those that the caller cannot read are called by their kind and id. */
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
