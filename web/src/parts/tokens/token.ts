import type { Schemas } from '../../api/client.js';

/** A personal access token, without its secret. */
export type Token = Schemas['PersonalAccessTokenResponseDto'];

/** State of a token. */
export function tokenState({ expiresAt, revokedAt }: Pick<Token, 'expiresAt' | 'revokedAt'>, now: number): 'valid' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'valid';
}
