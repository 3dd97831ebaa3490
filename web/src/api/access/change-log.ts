import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { api, bodyOf, hooks, type Schemas } from '../client.js';
import { FRESH } from '../queries.js';

/** The log of the own tenant, that of the server, or that of another tenant. */
export type Log = 'tenant' | 'server' | { readonly tenantId: string };

/** Filters as the service takes them. */
export type ChangeLogFilter = Readonly<
  Partial<Record<'search' | 'actorId' | 'subjectId' | 'permission' | 'reference' | 'actions' | 'from' | 'to', string>>
>;

export type Act = Schemas['ChangeLogActDto'];

const PAGE_SIZE = 50;
/** As many entries as the service answers at once. */
const ENTRIES_AT_ONCE = 200;

const tenantOf = (log: Log) => ({ tenantId: typeof log === 'object' ? log.tenantId : (hooks.tenantId ?? '') });

/** The matching acts page by page, newest first. */
export const actsQuery = (log: Log, filter: ChangeLogFilter) =>
  infiniteQueryOptions({
    queryKey: ['change-log', log, 'acts', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) => {
      const query = { ...filter, after, pageSize: PAGE_SIZE };
      return bodyOf(
        log === 'server'
          ? api.GET('/account/change-log/server', { params: { query }, signal })
          : api.GET('/account/change-log', { params: { query: { ...query, ...tenantOf(log) } }, signal }),
      );
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: FRESH.usual,
  });

/** A page of the matching entries, newest first, or of those of one act. */
function readEntries(log: Log, filter: ChangeLogFilter & { readonly act?: string }, after: string | undefined, signal: AbortSignal) {
  const query = { ...filter, after, pageSize: ENTRIES_AT_ONCE };
  return bodyOf(
    log === 'server'
      ? api.GET('/account/change-log/server/entries', { params: { query }, signal })
      : api.GET('/account/change-log/entries', { params: { query: { ...query, ...tenantOf(log) } }, signal }),
  );
}

/** Address of the matching entries as a file of any length, newest first: the service writes it while the browser saves it. */
export function exportAddress(log: Log, filter: ChangeLogFilter, format: 'Csv' | 'Jsonl'): string {
  const parts = { ...filter, ...(log === 'server' ? {} : tenantOf(log)), format };
  const given = Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined);
  return `/account/change-log/${log === 'server' ? 'server/' : ''}export?${new URLSearchParams(given).toString()}`;
}

/** The entries of the act to which an entry belongs, page by page, the last one first. */
export const entriesOfAct = (log: Log, act: string) =>
  infiniteQueryOptions({
    queryKey: ['change-log', log, 'act', act],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readEntries(log, { act }, pageParam, signal),
    getNextPageParam: ({ next }) => next ?? undefined,
    // Entries never change.
    staleTime: Infinity,
  });

/** People and objects that a log names by a part of a name or id, also deleted ones. */
export const subjectsQuery = (log: Log, search: string) =>
  queryOptions({
    queryKey: ['change-log', log, 'subjects', search],
    queryFn: async ({ signal }) => {
      const query = { search };
      const answer = await bodyOf(
        log === 'server'
          ? api.GET('/account/change-log/server/subjects', { params: { query }, signal })
          : api.GET('/account/change-log/subjects', { params: { query: { ...query, ...tenantOf(log) } }, signal }),
      );
      return answer.items;
    },
    enabled: search !== '',
    staleTime: FRESH.usual,
  });
