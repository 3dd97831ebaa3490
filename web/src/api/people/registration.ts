import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../client.js';
import { FRESH } from '../queries.js';

/** Answers to two questions: is registration open, and would the next user be the first. */
export const registrationQuery = queryOptions({
  queryKey: ['registration'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/registration', { signal })),
  staleTime: FRESH.usual,
});

/** Ways to sign in to this server: providers, passkeys, and the ability to send mail. */
export const serverOfferQuery = queryOptions({
  queryKey: ['server-offer'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/server', { signal })),
  staleTime: FRESH.catalog,
});
