import { SignInMethod } from '../../access/authentication/sessions/session.entity.js';
import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Guid, Instant, Int, ListOf, Text } from '../../platform/http/binding/fields.js';
import { preference } from '../user-preferences/known-user-preferences.js';

/** Longest address that is read, in characters. Longer ones are refused in any case. */
const MAXIMUM_TEXT_LENGTH = 256;
const EXAMPLE_ADDRESS = 'anna@contoso.example';

const METHOD = namesOf('SignInMethod', SignInMethod, {
  Password: 'with the password.',
  Passkey: 'with a passkey.',
  External: 'with an account of another provider.',
  Invite: 'by accepting an invite.',
  LogonToken: 'with a link of another system.',
  Registration: 'by registering.',
  Bearer: 'with the password, in a program that uses bearer tokens.',
});

export class OwnSessionDto {
  @Guid('Id of the session.') id: string;
  @Instant('Start of the session.') createdAt: Date;
  @Instant('Last use of the session, to the minute.') lastUsedAt: Date;
  @Instant('Latest end of the session, however much it is used. A program that asks for new tokens before that time extends it.')
  expiresAt: Date;
  @EnumName('Method of the sign-in.', METHOD) method: SignInMethod;
  @Text('Browser and system; null when the browser did not say.', { nullable: true, example: 'Firefox on Linux' }) device: string | null;
  @Text('Address that the sign-in came from.', { nullable: true, example: '203.0.113.17' }) remoteAddress: string | null;
  @Bool('True for the session of this request.') isCurrent: boolean;
}

export class OwnSessionsResponseDto {
  @ListOf('The open sessions, the last used first.', () => OwnSessionDto) items: OwnSessionDto[];
}

export class EndedSessionsResponseDto {
  @Int('Number of ended sessions.') count: number;
}

export class ProfileResponseDto {
  @Guid('Id of the user.') id: string;
  @Guid('Id of the tenant of the user.') tenantId: string;
  @Instant('Creation time of the account.') createdAt: Date;
  @Text('Name under which the user signs in.', { example: EXAMPLE_ADDRESS }) userName: string;
  @Text('E-mail address; null without one.', { nullable: true, example: EXAMPLE_ADDRESS }) email: string | null;
  @Bool('True if the e-mail address is confirmed.') emailConfirmed: boolean;
  @Text('Name that others see; empty if the user has chosen none.', { example: 'Anna Berg' }) displayName: string;
  @Bool('True if the user has a password.') hasPassword: boolean;
  @Bool('True if sign-in asks for a code of an authenticator app.') twoFactorEnabled: boolean;
}

export class ChangeProfileRequestDto {
  @preference.userDisplayName.field displayName: string;
}

export class ChangeEmailRequestDto {
  @Text('The new address, to which a mail is sent.', { min: 1, max: MAXIMUM_TEXT_LENGTH, example: 'anna@northwind.example' })
  newEmail: string;
}

export class DeleteAccountRequestDto {
  @Text('The e-mail address of the account, as confirmation.', { min: 1, max: MAXIMUM_TEXT_LENGTH, example: EXAMPLE_ADDRESS })
  email: string;
}
