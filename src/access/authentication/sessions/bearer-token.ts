import { guidToHex, hexToGuid } from '../../../platform/common/identifiers/guid.js';

/** Longest token that is looked at, in characters. A refresh token has 206. */
export const MAXIMUM_TOKEN_LENGTH = 300;

/** Content of an access token. */
export interface AccessToken {
  readonly sessionId: string;
  readonly secret: string;
}

/** Content of a refresh token. */
export interface RefreshToken extends AccessToken {
  /** The same in every refresh token of the session, so that a former one can be told from a guess. */
  readonly lineage: string;
}

/** An access token as it is sent: two parts, of characters that the Authorization header allows. */
export function formatAccessToken({ sessionId, secret }: AccessToken): string {
  return [guidToHex(sessionId), secret].join('.');
}

/** A refresh token as it is sent: three parts, so that neither kind is taken for the other. */
export function formatRefreshToken({ sessionId, lineage, secret }: RefreshToken): string {
  return [guidToHex(sessionId), lineage, secret].join('.');
}

/** Reads an access token; null when it is none. */
export function parseAccessToken(token: string): AccessToken | null {
  const [sessionId, secret, ...rest] = partsOf(token);
  return sessionId === null || !secret || rest.length > 0 ? null : { sessionId, secret };
}

/** Reads a refresh token; null when it is none. */
export function parseRefreshToken(token: string): RefreshToken | null {
  const [sessionId, lineage, secret, ...rest] = partsOf(token);
  return sessionId === null || !lineage || !secret || rest.length > 0 ? null : { sessionId, lineage, secret };
}

function partsOf(token: string): [string | null, ...string[]] {
  if (token.length > MAXIMUM_TOKEN_LENGTH) return [null];
  const [id, ...secrets] = token.split('.');
  return [hexToGuid(id), ...secrets];
}
