import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

import { MAXIMUM_SECRET_LENGTH } from '../../config/options.js';
import { guidToHex, hexToGuid } from './guid.js';

/** The position of the colon in a key, after the hexadecimal characters of the id. */
const SEPARATOR_AT = 32;

/** Longest header value that is parsed as a key. A longer one counts as malformed. */
const MAXIMUM_KEY_LENGTH = SEPARATOR_AT + 1 + MAXIMUM_SECRET_LENGTH;

/** Size of a machine secret: 512 random bits, written as base64url. */
const SECRET_BYTES = 64;

/** A machine credential as a header carries it: the id of its row and the secret. */
export interface PresentedKey {
  readonly credentialId: string;
  readonly secret: string;
}

/** A new random secret for a machine credential (API key, personal access token, installer key). */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * The stored form of a machine secret. A fast hash is enough because the secret is random, so no dictionary attack is
 * possible. A slow hash on every request would invite denial of service.
 */
export function hashSecret(secret: string): Buffer {
  // In one step: a hash object would double the cost, and keep the garbage collector busy.
  return hash('sha256', secret, 'buffer');
}

/** Compares a presented secret with a stored hash in constant time. */
export function secretMatches(secret: string, stored: Buffer): boolean {
  const presented = hashSecret(secret);
  return presented.length === stored.length && timingSafeEqual(presented, stored);
}

/** The key `<credential id as hex>:<secret>`, which is shown only once. */
export function formatKey(credentialId: string, secret: string): string {
  return `${guidToHex(credentialId)}:${secret}`;
}

/** Parses a key of the form `<32 hex>:<secret>`; null when it is malformed. */
export function parseKey(value: string): PresentedKey | null {
  if (value.length > MAXIMUM_KEY_LENGTH) return null;
  const separator = value.indexOf(':');
  if (separator !== SEPARATOR_AT || value.length === separator + 1) return null;
  const credentialId = hexToGuid(value.slice(0, separator));
  return credentialId === null ? null : { credentialId, secret: value.slice(separator + 1) };
}
