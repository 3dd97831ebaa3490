import { infiniteQueryOptions, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';

import { holds } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { api, bodyOf } from '../../api/client.js';
import { FRESH } from '../../api/queries.js';
import type { NameOf } from './entry.js';
import type { ChangeLogAddress } from './search.js';

/** The log of the own tenant, that of the server, or that of another tenant. */
export type Log = 'tenant' | 'server' | { readonly tenantId: string };

const PAGE_SIZE = 50;

interface Page {
  readonly page: number;
  readonly pageSize: number;
}

/** One page of the matching entries, from the service. */
export function readChangeLog(log: Log, { action, target, actor, text, from, to }: ChangeLogAddress, page: Page, signal: AbortSignal) {
  const filters = { actionType: action, targetType: target, actorType: actor, searchText: text, from, to };
  // The client names the own tenant where no other one is named.
  const tenant = typeof log === 'object' ? { tenantId: log.tenantId } : {};
  const params = { query: { ...filters, ...tenant, ...page } };
  return bodyOf(
    log === 'server'
      ? api.GET('/api/v1/authorization-change-logs/server', { params, signal })
      : api.GET('/api/v1/authorization-change-logs', { params, signal }),
  );
}

/** The matching entries page by page, newest first. */
export const changeLogQuery = (log: Log, { action, target, actor, text, from, to }: ChangeLogAddress) =>
  infiniteQueryOptions({
    queryKey: ['change-log', log, { action, target, actor, text, from, to }],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      readChangeLog(log, { action, target, actor, text, from, to }, { page: pageParam, pageSize: PAGE_SIZE }, signal),
    getNextPageParam: ({ totalItems }, pages) => (pages.length * PAGE_SIZE < totalItems ? pages.length : undefined),
    staleTime: FRESH.usual,
  });

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
