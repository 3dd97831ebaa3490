import { randomBytes } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';

/** Seconds for which a code of an authenticator app is shown, and its digits: the values that all apps support (RFC 6238). */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Steps by which the clocks of app and service may differ. */
const WINDOW = 1;
/** Size of a shared secret, in bytes. */
const SECRET_BYTES = 20;
/** Codes that a user gets at once. */
const RECOVERY_CODES = 10;
/** Random bytes of a recovery code: 80 bits, as 16 characters. */
const RECOVERY_BYTES = 10;

/** A new secret for an authenticator app. */
export function newSharedSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** The secret as people type it: base32 in groups of four. */
export function typedSecret(secret: Uint8Array): string {
  return grouped(base32(secret).toLowerCase(), ' ');
}

/** The address from which apps read the secret, usually as a QR code. */
export function authenticatorUri(secret: Uint8Array, issuer: string, userName: string): string {
  return totpOf(secret, issuer, userName).toString();
}

/** The time step of a code at a time (milliseconds since 1970), which may be one step off; null when the code is wrong. */
export function stepOf(secret: Uint8Array, code: string, milliseconds: number): number | null {
  const digits = code.replaceAll(/[\s-]/g, '');
  if (!/^\d+$/.test(digits) || digits.length !== DIGITS) return null;
  const delta = totpOf(secret).validate({ token: digits, timestamp: milliseconds, window: WINDOW });
  return delta === null ? null : Math.floor(milliseconds / 1000 / PERIOD_SECONDS) + delta;
}

/** New recovery codes, as they are shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => grouped(base32(randomBytes(RECOVERY_BYTES)).toLowerCase(), '-'));
}

/** The form in which a recovery code is compared: without the characters that people add or leave out when they type it. */
export function plainRecoveryCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase();
}

function totpOf(secret: Uint8Array, issuer = '', label = ''): TOTP {
  return new TOTP({ secret: Secret.fromBase32(base32(secret)), issuer, label, period: PERIOD_SECONDS, digits: DIGITS });
}

function base32(bytes: Uint8Array): string {
  return Secret.fromHex(Buffer.from(bytes).toString('hex')).base32;
}

function grouped(text: string, separator: string): string {
  return text.match(/.{1,4}/g)?.join(separator) ?? '';
}
