import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { ACCOUNT_CHANGES } from './account.js';

export type ConnectedLogin = Schemas['ExternalLoginDto'];

/** Logins at other providers that sign the user in. */
export const loginsQuery = queryOptions({
  queryKey: ['account', 'logins'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/account/external/logins', { signal }))).items,
});

/** Begins to connect a login. Returns the provider's address, which leads back to a page. */
export const connectLogin = async (provider: string, returnPath: string): Promise<string> =>
  (await bodyOf(api.POST('/account/external/{provider}/link', { params: { path: { provider } }, body: { returnPath } }))).address;

/** Begins to prove at a provider who the user is. Returns the provider's address, which leads back to a page. */
export const proveAtProvider = async (provider: string, returnPath: string): Promise<string> =>
  (await bodyOf(api.POST('/account/external/{provider}/step-up', { params: { path: { provider } }, body: { returnPath } }))).address;

export const disconnectLogin = mutation(ACCOUNT_CHANGES, (id: string) =>
  api.DELETE('/account/external/logins/{id}', { params: { path: { id } } }),
);
