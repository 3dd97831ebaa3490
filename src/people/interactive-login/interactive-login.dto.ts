import { MAXIMUM_PASSWORD_LENGTH, MINIMUM_PASSWORD_LENGTH } from '../../access/authentication/passwords/password-policy.js';
import { MAXIMUM_TOKEN_LENGTH } from '../../access/authentication/sessions/bearer-token.js';
import { Bool, Guid, Instant, Int, Long, Nested, Text, TextList } from '../../platform/http/binding/fields.js';
import { MAXIMUM_CODE_LENGTH } from '../two-factor/two-factor.dto.js';

/** Longest address, password or mailed code that is read, in characters. Longer ones are wrong in any case. */
const MAXIMUM_TEXT_LENGTH = 256;
const ADDRESS = { max: MAXIMUM_TEXT_LENGTH, example: 'anna@contoso.example' };
const PRESENT_PASSWORD = { max: MAXIMUM_TEXT_LENGTH, example: 'Former-Horse-6' };
const NEW_PASSWORD = { min: MINIMUM_PASSWORD_LENGTH, max: MAXIMUM_PASSWORD_LENGTH, example: 'Correct-Horse-7' };
const CODE = { nullable: true, max: MAXIMUM_CODE_LENGTH, example: '287 082' } as const;
const RECOVERY_CODE = { nullable: true, max: MAXIMUM_CODE_LENGTH, example: null } as const;
const EXAMPLE_ACCESS_TOKEN = '3D2C1B0A5F4E71408293A4B5C6D7E8F9.Zk3vQ0r7Xw9sT1bL…';
const EXAMPLE_REFRESH_TOKEN = '3D2C1B0A5F4E71408293A4B5C6D7E8F9.Lm8yB2….Tq5wN7…';
const EXAMPLE_MAILED_CODE = '3D2C1B0A5F4E71408293A4B5C6D7E8F9:Zk3vQ0r7Xw9sT1bL…';

export class ChangeOwnPasswordRequestDto {
  @Text('The present password.', PRESENT_PASSWORD) currentPassword: string;
  @Text('The new password.', { max: MAXIMUM_TEXT_LENGTH, example: 'Correct-Horse-7' }) newPassword: string;
}

export class ChangePasswordWithCredentialsRequestDto {
  @Text('E-mail address of the account.', ADDRESS) email: string;
  @Text('The present password.', PRESENT_PASSWORD) currentPassword: string;
  @Text('The new password.', NEW_PASSWORD) newPassword: string;
  @Text('Code of the authenticator app, where two-factor sign-in is on. Spaces and hyphens are ignored.', CODE) twoFactorCode:
    string | null;
}

export class CompletePasswordResetRequestDto {
  @Text('E-mail address of the account.', ADDRESS) email: string;
  @Text('The code behind the # of the link in the mail, as it is or as base64url.', {
    max: 2 * MAXIMUM_TEXT_LENGTH,
    example: EXAMPLE_MAILED_CODE,
  })
  resetCode: string;
  @Text('The new password.', NEW_PASSWORD) newPassword: string;
}

/** Credentials of a sign-in, on both routes that give tokens. */
export class LoginRequestDto {
  @Text('E-mail address of the account.', ADDRESS) email: string;
  @Text('The password.', { max: MAXIMUM_TEXT_LENGTH, example: 'Correct-Horse-7' }) password: string;
  @Text('Code of the authenticator app, where two-factor sign-in is on.', CODE) twoFactorCode: string | null;
  @Text('Recovery code instead. It counts if both are sent.', RECOVERY_CODE) twoFactorRecoveryCode: string | null;
}

export class InteractiveTokensDto {
  @Text('Kind of the tokens.', { values: ['Bearer'], example: 'Bearer' }) tokenType: string;
  @Text('The token for `Authorization: Bearer`.', { example: EXAMPLE_ACCESS_TOKEN }) accessToken: string;
  @Int('Seconds for which the access token can be used.', { example: 3600 }) expiresInSeconds: number;
  @Text('The token for new tokens, which works once, and for 30 seconds again.', { example: EXAMPLE_REFRESH_TOKEN }) refreshToken: string;
}

export class InteractiveLoginResponseDto {
  @Bool('True if the password is right and a code is needed, too.') requiresTwoFactor: boolean;
  @Bool('True if too many attempts failed, so that the account is locked for some minutes.') isLockedOut: boolean;
  @Bool('True if the user must set a new password first.') requiresPasswordChange: boolean;
  @Nested('The tokens; null unless the user is signed in.', () => InteractiveTokensDto, { nullable: true })
  tokens: InteractiveTokensDto | null;
}

export class OwnUserDto {
  @Guid('Id of the user.') id: string;
  @Text('User name.', { example: 'anna@contoso.example' }) userName: string;
  @Text('E-mail address; null for users that have none.', { nullable: true, example: 'anna@contoso.example' }) email: string | null;
  @Instant('Creation time of the user.') createdAt: Date;
  @Bool('True if the user is connected to the viewer hub.') isOnline: boolean;
  @Bool('True if the user must set a new password before anything else.') requirePasswordChange: boolean;
  @Bool('True if sign-in asks for a code of an authenticator app.') twoFactorEnabled: boolean;
  @Bool('True if the e-mail address is confirmed.') emailConfirmed: boolean;
  @Guid('Id of the tenant of the user.') tenantId: string;
}

export class LoginQueryDto {
  @Bool('True to set the cookie of a session that outlives the browser, in place of tokens.', { default: false }) useCookies: boolean;
  @Bool('True to set the cookie of a session that ends with the browser, in place of tokens.', { default: false })
  useSessionCookies: boolean;
}

export class AccessTokenDto {
  @Text('Kind of the tokens.', { values: ['Bearer'], example: 'Bearer' }) tokenType: string;
  @Text('The token for `Authorization: Bearer`.', { example: EXAMPLE_ACCESS_TOKEN }) accessToken: string;
  @Long('Seconds for which the access token can be used.', { example: 3600 }) expiresIn: number;
  @Text('The token for `refresh`, which works once, and for 30 seconds again.', { example: EXAMPLE_REFRESH_TOKEN }) refreshToken: string;
}

export class RefreshRequestDto {
  @Text('The refresh token.', { max: MAXIMUM_TOKEN_LENGTH, example: EXAMPLE_REFRESH_TOKEN }) refreshToken: string;
}

export class IdentityRegisterRequestDto {
  @Text('E-mail address, which is also the user name.', { min: 1, ...ADDRESS }) email: string;
  @Text('The password.', { min: 1, max: MAXIMUM_TEXT_LENGTH, example: 'Correct-Horse-7' }) password: string;
}

export class IdentityEmailRequestDto {
  @Text('E-mail address of the account.', ADDRESS) email: string;
}

export class IdentityConfirmEmailQueryDto {
  @Text('Not looked at: the code names its account.', {
    nullable: true,
    max: MAXIMUM_TEXT_LENGTH,
    example: '0197d2c4-5b3c-7e21-9f4a-6c1d2e3f4a5b',
  })
  userId: string | null;
  @Text('The code behind the # of the link in the mail.', { max: MAXIMUM_TEXT_LENGTH, example: EXAMPLE_MAILED_CODE }) code: string;
  @Text('Not looked at: the code knows the new address.', {
    nullable: true,
    max: MAXIMUM_TEXT_LENGTH,
    example: 'anna@contoso.example',
  })
  changedEmail: string | null;
}

export class IdentityResetPasswordRequestDto {
  @Text('E-mail address of the account.', ADDRESS) email: string;
  @Text('The code behind the # of the link in the mail.', { max: MAXIMUM_TEXT_LENGTH, example: EXAMPLE_MAILED_CODE }) resetCode: string;
  @Text('The new password.', { max: MAXIMUM_TEXT_LENGTH, example: 'Correct-Horse-7' }) newPassword: string;
}

export class IdentityTwoFactorRequestDto {
  @Bool('Switches two-factor sign-in on or off; null leaves it.', { nullable: true }) enable: boolean | null;
  @Text('The code that the app shows, to switch it on.', CODE) twoFactorCode: string | null;
  @Bool('Forgets the app, which switches two-factor sign-in off, and makes a key for another one.', { default: false })
  resetSharedKey: boolean;
  @Bool('True to create new recovery codes. The previous ones stop working.', { default: false }) resetRecoveryCodes: boolean;
  @Bool('Accepted without effect: no browser is remembered.', { default: false }) forgetMachine: boolean;
}

export class IdentityTwoFactorResponseDto {
  @Text('The key for an authenticator app; empty while two-factor sign-in is on, because it is shown only before.', {
    example: 'gezd gnbv gy3t qojq gezd gnbv gy3t qojq',
  })
  sharedKey: string;
  @Int('Recovery codes that have not been used.', { example: 10 }) recoveryCodesLeft: number;
  @TextList('New recovery codes, which are shown this once; null if none were made.', {
    nullable: true,
    maxLength: MAXIMUM_CODE_LENGTH,
    example: ['k3fa-7wzx-22qm-hj5t'],
  })
  recoveryCodes: readonly string[] | null;
  @Bool('True if sign-in asks for a code of an authenticator app.') isTwoFactorEnabled: boolean;
  @Bool('Always false: sign-in asks for a code every time.') isMachineRemembered: boolean;
}

export class IdentityInfoDto {
  @Text('E-mail address; empty for users that have none.', { example: 'anna@contoso.example' }) email: string;
  @Bool('True if the e-mail address is confirmed.') isEmailConfirmed: boolean;
}

export class IdentityInfoRequestDto {
  @Text('The new e-mail address, which is used once it is confirmed by the mail that is sent there.', { nullable: true, ...ADDRESS })
  newEmail: string | null;
  @Text('The new password.', { nullable: true, max: MAXIMUM_TEXT_LENGTH, example: 'Correct-Horse-7' }) newPassword: string | null;
  @Text('The present password, which a new one needs.', { nullable: true, ...PRESENT_PASSWORD }) oldPassword: string | null;
}
