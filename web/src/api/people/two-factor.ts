import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { ACCOUNT_CHANGES } from './account.js';

export type AuthenticatorKey = Schemas['AuthenticatorKeyDto'];

export const twoFactorQuery = queryOptions({
  queryKey: ['account', 'two-factor'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/two-factor', { signal })),
});

/** Creates the key for an authenticator app. It is in force once `enableTwoFactor` has proved that the app has it. */
export const createAuthenticatorKey = (): Promise<AuthenticatorKey> => bodyOf(api.POST('/account/two-factor/setup'));

/** Enables two-factor sign-in with a code of the app. Returns recovery codes, which cannot be read again. */
export const enableTwoFactor = mutation(
  ACCOUNT_CHANGES,
  async (code: string) => (await bodyOf(api.POST('/account/two-factor/enable', { body: { code } }))).recoveryCodes,
);

/** Replaces the recovery codes, and returns the new ones. */
export const renewRecoveryCodes = mutation(
  ACCOUNT_CHANGES,
  async () => (await bodyOf(api.POST('/account/two-factor/recovery-codes'))).recoveryCodes,
);

export const disableTwoFactor = mutation(ACCOUNT_CHANGES, () => api.POST('/account/two-factor/disable'));
