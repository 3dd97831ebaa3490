import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../client.js';
import { ProblemError } from '../../problem/problem.js';
import { FRESH } from '../queries.js';

/** Returns the text, or null if the operator has not published it. */
async function ifPublished(answer: Promise<string>): Promise<string | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null;
    throw error;
  }
}

export const agentVersionQuery = queryOptions({
  queryKey: ['version', 'agent'],
  queryFn: ({ signal }) => ifPublished(bodyOf(api.GET('/api/v1/version/agent', { signal }))),
  staleTime: FRESH.catalog,
});

export const releaseNotesQuery = queryOptions({
  queryKey: ['version', 'release-notes'],
  queryFn: ({ signal }) => ifPublished(bodyOf(api.GET('/api/v1/version/release-notes', { signal }))),
  staleTime: FRESH.catalog,
});
