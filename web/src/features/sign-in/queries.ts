import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../../api/client.js';
import { FRESH } from '../../api/queries.js';

/** Whether one may register, and whether one would be the first. */
export const registrationQuery = queryOptions({
  queryKey: ['registration'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/registration', { signal })),
  staleTime: FRESH.usual,
});

/** Providers that sign people in besides the service itself. */
export const providersQuery = queryOptions({
  queryKey: ['sign-in-providers'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/account/external/providers', { signal }))).items ?? [],
  staleTime: FRESH.catalog,
});
