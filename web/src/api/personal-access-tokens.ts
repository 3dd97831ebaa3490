import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from './client.js';
import { FRESH } from './queries.js';

/** The personal access tokens of the user, without their secrets. */
export const tokensQuery = queryOptions({
  queryKey: ['own-tokens'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/personal-access-tokens', { signal }))).items ?? [],
  staleTime: FRESH.list,
});
