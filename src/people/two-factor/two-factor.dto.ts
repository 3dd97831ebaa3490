import { Bool, Int, Text, TextList } from '../../platform/http/binding/fields.js';

/** Longest code that is read, in characters: codes may be typed with spaces. */
export const MAXIMUM_CODE_LENGTH = 64;

export class TwoFactorStatusDto {
  @Bool('True if sign-in asks for a code of an authenticator app.') isEnabled: boolean;
  @Int('Recovery codes that have not been used.', { example: 10 }) recoveryCodesLeft: number;
}

export class AuthenticatorKeyDto {
  @Text('The key, for apps into which it is typed.', { example: 'gezd gnbv gy3t qojq gezd gnbv gy3t qojq' }) sharedKey: string;
  @Text('The same as an address, to be shown as a QR code.', {
    example: 'otpauth://totp/Device%20Management:anna%40contoso.example?issuer=Device%20Management&secret=GEZDGNBVGY3TQOJQ',
  })
  uri: string;
}

export class EnableTwoFactorRequestDto {
  @Text('The code that the app shows. Spaces and hyphens are ignored.', { min: 1, max: MAXIMUM_CODE_LENGTH, example: '287 082' })
  code: string;
}

export class RecoveryCodesDto {
  @TextList('Recovery codes, each of which works once in place of the app. They are shown only now.', {
    maxLength: MAXIMUM_CODE_LENGTH,
    example: ['k3fa-7wzx-22qm-hj5t'],
  })
  recoveryCodes: readonly string[];
}
