import { infiniteQueryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../client.js';
import { FRESH } from '../queries.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';

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
