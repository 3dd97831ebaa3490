import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import { hexToGuid } from '../../platform/common/identifiers/guid.js';

/** Purpose of a challenge, and its requester: a session, or a visitor's cookie. */
export interface ChallengeUse {
  readonly purpose: 'registration' | 'sign-in' | 'step-up';
  readonly holder: string;
}

/** A challenge that the service made for its use. */
export interface SignedChallenge {
  readonly id: string;
  readonly expiresAt: Date;
}

/** A challenge is its random id, its expiry (milliseconds since 1970) and the signature over both and the use. */
const ID_BYTES = 16;
const EXPIRY_BYTES = 6;
const SIGNATURE_BYTES = 32;
const SIGNED_BYTES = ID_BYTES + EXPIRY_BYTES;
const CHALLENGE_BYTES = SIGNED_BYTES + SIGNATURE_BYTES;

/** A new challenge for one use. */
export function signChallenge(key: Buffer, use: ChallengeUse, expiresAt: Date): Buffer {
  const signed = Buffer.concat([randomBytes(ID_BYTES), Buffer.alloc(EXPIRY_BYTES)]);
  signed.writeUIntBE(expiresAt.getTime(), ID_BYTES, EXPIRY_BYTES);
  return Buffer.concat([signed, signatureOf(key, use, signed)]);
}

/** Reads a challenge in base64url; null unless it was made with the key, for this use, and has not expired. */
export function readChallenge(key: Buffer, use: ChallengeUse, text: string, now: Date): SignedChallenge | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== CHALLENGE_BYTES || bytes.toString('base64url') !== text) return null;
  const signed = bytes.subarray(0, SIGNED_BYTES);
  if (!timingSafeEqual(signatureOf(key, use, signed), bytes.subarray(SIGNED_BYTES))) return null;
  const expiresAt = new Date(signed.readUIntBE(ID_BYTES, EXPIRY_BYTES));
  const id = hexToGuid(signed.toString('hex', 0, ID_BYTES));
  return id === null || expiresAt <= now ? null : { id, expiresAt };
}

/** The purpose is one of three words without a colon, so that no two uses are signed alike. */
function signatureOf(key: Buffer, { purpose, holder }: ChallengeUse, signed: Buffer): Buffer {
  return createHmac('sha256', key).update(signed).update(`${purpose}:${holder}`, 'utf8').digest();
}
