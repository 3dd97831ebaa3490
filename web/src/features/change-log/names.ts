import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';

import { holds } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { api, bodyOf } from '../../api/client.js';
import { FRESH } from '../../api/queries.js';
import type { NameOf } from './entry.js';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Source {
  readonly key: string;
  readonly permission: string | null;
  read(this: void, signal: AbortSignal, tenantId: string): Promise<readonly Named[]>;
}

/** The lists that give ids of the log their names. */
const SOURCES: readonly Source[] = [
  {
    key: 'users',
    permission: 'tenant.users.read',
    async read(signal) {
      const { items } = await bodyOf(api.GET('/api/v1/users', { signal }));
      return (items ?? []).map(({ id, displayName, userName }) => ({ id, name: [displayName, userName].find(Boolean) ?? id }));
    },
  },
  {
    key: 'user-groups',
    permission: 'tenant.user-groups.read',
    read: async (signal) => (await bodyOf(api.GET('/api/v1/user-groups', { signal }))).items ?? [],
  },
  {
    key: 'service-accounts',
    permission: 'service-account.read',
    async read(signal, tenantId) {
      const params = { path: { tenantId } };
      return (await bodyOf(api.GET('/api/v1/tenant-service-accounts/{tenantId}', { params, signal }))).items ?? [];
    },
  },
  {
    key: 'server-service-accounts',
    permission: 'server.service-accounts.read',
    read: async (signal) => (await bodyOf(api.GET('/api/v1/server-service-accounts', { signal }))).items ?? [],
  },
  {
    key: 'customers',
    permission: 'tenant.customers.read',
    read: async (signal) => (await bodyOf(api.GET('/api/v1/customers', { signal }))).items ?? [],
  },
  {
    key: 'device-groups',
    permission: 'tenant.device-groups.read',
    read: async (signal) => (await bodyOf(api.GET('/api/v1/device-groups', { signal }))).items ?? [],
  },
  {
    key: 'tags',
    permission: null,
    read: async (signal) => (await bodyOf(api.GET('/api/v1/tags', { params: { query: { includeLinkedIds: false } }, signal }))).items ?? [],
  },
];

/** Names of ids, as far as the user may read them. */
export function useNames(): NameOf {
  const session = useSession();
  const names = useQueries({
    queries: SOURCES.map(({ key, permission, read }) => ({
      queryKey: [key, 'names-by-id'],
      queryFn: async ({ signal }: { signal: AbortSignal }) => read(signal, session.tenant.id),
      enabled: permission === null || holds(session, permission),
      staleTime: FRESH.list,
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  return useMemo(() => {
    const byId = new Map(names.map(({ id, name }) => [id, name]));
    return (id) => byId.get(id);
  }, [names]);
}
