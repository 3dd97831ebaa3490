import type { Credential } from '../../api/service-accounts.js';

export type CredentialState = 'active' | 'expired' | 'revoked';

/** Whether a credential can be used. One that was revoked stays so, whenever it would have expired. */
export function stateOf({ revokedAt, expiresAt }: Pick<Credential, 'revokedAt' | 'expiresAt'>, now = Date.now()): CredentialState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
