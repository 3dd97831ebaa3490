import { createPublicKey, verify, type KeyObject } from 'node:crypto';

import { signedPayload, type DeviceUpdateRequestDto, type SignedDto } from '#libs/contracts';

/** Why an update was refused, in the words that agents know. */
export enum UpdateRefusal {
  UnknownDevice = 'Unknown device.',
  SignatureRequired = 'Device requires signed updates.',
  KeyRequired = 'Public key is required.',
  KeyFormat = 'Invalid public key format.',
  KeyLength = 'Invalid public key length.',
  Signature = 'Signature verification failed.',
  Stale = 'Timestamp expired.',
}

const KEY_LENGTH = 32;
const SIGNATURE_LENGTH = 64;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** The DER header of an Ed25519 public key (RFC 8410), before its 32 bytes. */
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex');
const TICKS_PER_MILLISECOND = 10_000n;
/** Ticks between 0001-01-01 and 1970-01-01. */
const UNIX_EPOCH_TICKS = 621_355_968_000_000_000n;

/** Reads a device's public key: standard base64 of exactly 32 bytes. */
export function readPublicKey(text: string | null): KeyObject | UpdateRefusal {
  if (text === null || text === '') return UpdateRefusal.KeyRequired;
  if (!BASE64.test(text) || text.length % 4 !== 0) return UpdateRefusal.KeyFormat;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_LENGTH) return UpdateRefusal.KeyLength;
  return createPublicKey({ key: Buffer.concat([SPKI_HEADER, bytes]), format: 'der', type: 'spki' });
}

/** Verifies the signature over the exact bytes of the contract, in the thread pool. */
export function verifySignature(
  key: KeyObject,
  { dto, timestamp, publicKey, signature }: SignedDto<DeviceUpdateRequestDto>,
): Promise<boolean> {
  if (signature.length !== SIGNATURE_LENGTH) return Promise.resolve(false);
  const payload = signedPayload(dto, timestamp, publicKey);
  return new Promise((resolve) => {
    verify(null, payload, key, signature, (error, isValid) => resolve(error === null && isValid));
  });
}

/**
 * Whether a signed time is too far from now, or not newer than the last one accepted. The
 * offset is not under the signature, so the clock reading itself is compared: agents send it in UTC. Without a tolerance
 * nothing is compared.
 */
export function isStale(ticks: bigint, lastTicks: bigint, nowMilliseconds: number, toleranceMilliseconds: number | null): boolean {
  if (toleranceMilliseconds === null) return false;
  const now = UNIX_EPOCH_TICKS + BigInt(Math.round(nowMilliseconds)) * TICKS_PER_MILLISECOND;
  const age = now > ticks ? now - ticks : ticks - now;
  return age > BigInt(toleranceMilliseconds) * TICKS_PER_MILLISECOND || ticks <= lastTicks;
}
