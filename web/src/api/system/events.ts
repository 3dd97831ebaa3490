import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';

import { api, bodyOf, hooks, type Schemas } from '../client.js';
import { queryClient } from '../queries.js';
import { PAGE_SIZE, withNewest } from './newest-events.js';

export type TenantEvent = Schemas['EventDto'];
export type EventKind = TenantEvent['kind'];
type EventsPage = Schemas['EventsResponseDto'];

/** Filters as the service takes them. */
export interface EventFilter {
  readonly kinds?: string;
  readonly deviceId?: string;
}

const keyOf = (filter: EventFilter) => ['events', filter] as const;

/** The matching events page by page, newest first. */
export const eventsQuery = (filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: keyOf(filter),
    initialPageParam: 'latest',
    queryFn: ({ pageParam: before, signal }) => {
      const query = { ...filter, before, limit: PAGE_SIZE };
      return bodyOf(api.GET('/api/events', { params: { query }, signal }));
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    // New events come by the stream, which goes on behind the newest one.
    staleTime: Infinity,
  });

/** Address of the stream of the matching events behind an id; without one, of all. */
export function eventStreamAddress(filter: EventFilter, after: string | undefined): string {
  const parts = { ...filter, after, tenantId: hooks.tenantId ?? undefined };
  const given = Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined);
  return `/api/events/stream?${new URLSearchParams(given).toString()}`;
}

/** Puts an event of the stream before those that were read, once. */
export function addEvent(filter: EventFilter, event: TenantEvent): void {
  queryClient.setQueryData<InfiniteData<EventsPage, string>>(keyOf(filter), (data) => data && withNewest(data, event));
}
