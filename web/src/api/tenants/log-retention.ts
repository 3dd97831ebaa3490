import { queryOptions } from '@tanstack/react-query';

import { api, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { ifMatch, versionOf } from '../versioned.js';
import type { Versioned } from '../../state/versioned.js';

export type LogRetention = Schemas['LogRetentionDto'];
export type LogRetentionValues = Schemas['LogRetentionRequestDto'];

/** Reads for how many days logs are kept, with the tag of the state. */
export const readLogRetention = (signal?: AbortSignal): Promise<Versioned<LogRetention>> =>
  versionOf(api.GET('/account/log-retention', { signal }));

/** The days for which logs are kept, and their limits. */
export const logRetentionQuery = queryOptions({
  queryKey: ['log-retention'],
  queryFn: ({ signal }) => readLogRetention(signal),
  staleTime: 0,
});

/** Changes the days, if they still have the state with the tag; null is for any. */
export const saveLogRetention = mutation(['log-retention'], (body: LogRetentionValues, tag: string | null) =>
  versionOf(api.PUT('/account/log-retention', { body, headers: ifMatch(tag) })),
);
