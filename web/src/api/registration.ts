import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from './client.js';
import { FRESH } from './queries.js';

/** Whether one may register, and whether one would be the first. */
export const registrationQuery = queryOptions({
  queryKey: ['registration'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/registration', { signal })),
  staleTime: FRESH.usual,
});

/** How people can sign in here: providers, passkeys, and whether mails are sent. */
export const serverOfferQuery = queryOptions({
  queryKey: ['server-offer'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/server', { signal })),
  staleTime: FRESH.catalog,
});
