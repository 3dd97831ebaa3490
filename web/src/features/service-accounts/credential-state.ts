import type { Credential } from '../../api/people/service-accounts.js';

export type CredentialState = 'active' | 'expired' | 'revoked';

/** State of a credential. One that was revoked stays so, also after its expiry. */
export function stateOf({ revokedAt, expiresAt }: Pick<Credential, 'revokedAt' | 'expiresAt'>, now = Date.now()): CredentialState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
