import { createPublicKey, verify, type KeyObject } from 'node:crypto';

import { signedPayload, type DeviceUpdateRequestDto, type SignedDto } from '#libs/contracts';

/** The reasons of refused updates, as the contract with agents defines them. */
export enum UpdateRefusal {
  UnknownDevice = 'Unknown device.',
  SignatureRequired = 'Device requires signed updates.',
  KeyRequired = 'Public key is required.',
  KeyNotRegistered = 'Device has no key: register it with an installer key.',
  KeyFormat = 'Invalid public key format.',
  KeyLength = 'Invalid public key length.',
  Signature = 'Signature verification failed.',
  Stale = 'Timestamp expired.',
  Decommissioned = 'Server is decommissioned.',
  NoTenant = 'No tenants found.',
  SeveralTenants = 'More than one tenant exists: register the device with an installer key.',
  Failed = 'An error occurred while updating the device.',
}

const KEY_LENGTH = 32;
const SIGNATURE_LENGTH = 64;
/** A PEM text around the base64 of a key, with the base64 of the DER in front of it. */
const PEM_HEAD = '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA';
const PEM_TAIL = '\n-----END PUBLIC KEY-----\n';
/**
 * Node.js 24 reads a key from a text of PEM in a third of the time of a JSON web key, for which it throws and catches four errors. Earlier
 * releases take fifteen times as long for PEM, because their OpenSSL then looks for a decoder.
 */
const READS_PEM_FASTER = Number.parseInt(process.versions.node, 10) >= 24;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const TICKS_PER_MILLISECOND = 10_000n;
/** Ticks between 0001-01-01 and 1970-01-01. */
const UNIX_EPOCH_TICKS = 621_355_968_000_000_000n;

/** Parses a device's public key, which is standard base64 of exactly 32 bytes; returns the refusal of an invalid one. */
export function readPublicKey(text: string | null): KeyObject | UpdateRefusal {
  if (text === null || text === '') return UpdateRefusal.KeyRequired;
  if (!BASE64.test(text) || text.length % 4 !== 0) return UpdateRefusal.KeyFormat;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_LENGTH) return UpdateRefusal.KeyLength;
  if (READS_PEM_FASTER) return createPublicKey(`${PEM_HEAD}${bytes.toString('base64')}${PEM_TAIL}`);
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
}

/** Verifies the Ed25519 signature over the bytes that the contract names. Runs in the thread pool, so that the event loop stays free. */
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
 * Checks that a signed time is further from now than the tolerance, or not newer than the last accepted one. Times are in ticks of 100 ns
 * since the year 1, `now` and `tolerance` in milliseconds. The signature does not cover the time's offset, so the clock reading itself
 * is compared: agents send it in UTC.
 */
export function isStale(ticks: bigint, lastTicks: bigint, now: number, tolerance: number): boolean {
  const ahead = ticksAhead(ticks, now);
  return (ahead < 0n ? -ahead : ahead) > BigInt(tolerance) * TICKS_PER_MILLISECOND || ticks <= lastTicks;
}

/** Lead of a signed time over `now`, both as in {@link isStale}, in milliseconds; negative when it is behind. */
export function millisecondsAhead(ticks: bigint, now: number): number {
  return Number(ticksAhead(ticks, now) / TICKS_PER_MILLISECOND);
}

function ticksAhead(ticks: bigint, now: number): bigint {
  return ticks - (UNIX_EPOCH_TICKS + BigInt(Math.round(now)) * TICKS_PER_MILLISECOND);
}
