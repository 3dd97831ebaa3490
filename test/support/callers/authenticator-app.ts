import { Secret, TOTP } from 'otpauth';

/** The code that an authenticator app with this key shows at a moment, in milliseconds since 1970. */
export function authenticatorCode(sharedKey: string, timestamp: number): string {
  const secret = Secret.fromBase32(sharedKey.replaceAll(' ', '').toUpperCase());
  return new TOTP({ secret }).generate({ timestamp });
}
