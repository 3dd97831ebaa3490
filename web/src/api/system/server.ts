import { queryOptions } from '@tanstack/react-query';

import type { Versioned } from '../../state/versioned.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { ifMatch, versionOf } from '../versioned.js';

export type StoredAlert = Schemas['ServerAlertResponseDto'];
export type ServerAlert = Schemas['ServerAlertRequestDto'];
export type Severity = Schemas['MessageSeverity'];
export type ServerStats = Schemas['ServerStatsDto'];

/** Reads the alert with the tag of its state. */
export const readServerAlert = (signal?: AbortSignal): Promise<Versioned<StoredAlert>> =>
  versionOf(api.GET('/api/v1/server-alert', { signal }));

/** The alert with the tag of its state. */
export const serverAlertQuery = queryOptions({ queryKey: ['server-alert'], queryFn: ({ signal }) => readServerAlert(signal) });

/** Stores the alert, if it still has the state with the tag; null is for any. */
export const saveServerAlert = mutation(['server-alert', 'session'], (body: ServerAlert, tag: string | null) =>
  versionOf(api.POST('/api/v1/server-alert', { body, headers: ifMatch(tag) })),
);

/** Sends a mail to the caller. */
export const sendTestMail = (): Promise<unknown> => api.POST('/api/v1/test-email');

/** The figures as they are when the page opens; later ones are pushed. */
export const serverStatsQuery = queryOptions({
  queryKey: ['server-stats'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/server-stats', { signal })),
  staleTime: 0,
});

/** The address signs a browser in, so it is requested each time and not cached. */
export const telemetryAddressQuery = queryOptions({
  queryKey: ['telemetry-address'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/server-logs/get-aspire-url', { signal })),
  staleTime: 0,
  gcTime: 0,
});
