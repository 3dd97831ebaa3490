import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Instant, Text } from '../../platform/http/binding/fields.js';
import { MAXIMUM_CODE_LENGTH } from './account-codes.js';

/** Longest address or password that is read, in characters. Longer ones are refused in any case. */
const MAXIMUM_TEXT_LENGTH = 256;
const EXAMPLE_ADDRESS = 'anna@contoso.example';
const EXAMPLE_PASSWORD = 'Correct-Horse-7';
const EXAMPLE_CODE = '3D2C1B0A5F4E71408293A4B5C6D7E8F9:Zk3vQ0r7Xw9sT1bL…';
const PASSWORD_RULES =
  'At least 8 characters with an upper-case letter, a lower-case letter and a digit, and none of the passwords that many people use.';

/** Outcome of a registration. */
export enum RegistrationOutcome {
  SignedIn = 'SignedIn',
  EmailConfirmationRequired = 'EmailConfirmationRequired',
}

const OUTCOME = namesOf('RegistrationOutcome', RegistrationOutcome, {
  SignedIn: 'The account exists, and the browser has a session now.',
  EmailConfirmationRequired: 'A mail was sent to the address. It says how to go on, also to the owner of an account that exists already.',
});

export class RegistrationOfferDto {
  @Bool('True if registration is open now.') isOpen: boolean;
  @Bool('True if the next user to register is the first, who administers the server.') isFirstUser: boolean;
  @Bool('True if the server has a user. Without one, and while registration is closed, no one can sign in.') hasUsers: boolean;
  @Bool('True if new users must open a link in a mail to their address before they sign in.') isMailNeeded: boolean;
}

export class RegisterRequestDto {
  @Text('E-mail address, which is also the user name.', { min: 1, max: MAXIMUM_TEXT_LENGTH, example: EXAMPLE_ADDRESS }) email: string;
  @Text(PASSWORD_RULES, { min: 1, max: MAXIMUM_TEXT_LENGTH, example: EXAMPLE_PASSWORD }) password: string;
}

export class RegisterResponseDto {
  @EnumName('Outcome of the registration.', OUTCOME) outcome: RegistrationOutcome;
}

export class EmailRequestDto {
  @Text('E-mail address of the account.', { min: 1, max: MAXIMUM_TEXT_LENGTH, example: EXAMPLE_ADDRESS }) email: string;
}

export class ConfirmEmailRequestDto {
  @Text('The code behind the # of the link in the mail.', { min: 1, max: MAXIMUM_CODE_LENGTH, example: EXAMPLE_CODE }) code: string;
}

export class ConfirmEmailResponseDto {
  @Text('The address that the account has now.', { example: EXAMPLE_ADDRESS }) email: string;
}

export class ResetPasswordRequestDto {
  @Text('The code behind the # of the link in the mail.', { min: 1, max: MAXIMUM_CODE_LENGTH, example: EXAMPLE_CODE }) code: string;
  @Text(PASSWORD_RULES, { min: 1, max: MAXIMUM_TEXT_LENGTH, example: EXAMPLE_PASSWORD }) newPassword: string;
}

export class ChangePasswordRequestDto {
  @Text('The present password.', { min: 1, max: MAXIMUM_TEXT_LENGTH, example: 'Former-Horse-6' }) currentPassword: string;
  @Text(PASSWORD_RULES, { min: 1, max: MAXIMUM_TEXT_LENGTH, example: EXAMPLE_PASSWORD }) newPassword: string;
}

export class InvitationResponseDto {
  @Text('The address that is invited.', { example: EXAMPLE_ADDRESS }) inviteeEmail: string;
  @Text('Name of the user who sent the invitation; null if no user did.', { nullable: true, example: 'Jo Berg' }) inviterName:
    string | null;
  @Text('The tenant to which the person is invited; null when it has no name.', { nullable: true, example: 'Contoso' })
  tenantName: string | null;
  @Instant('Time until which the invitation can be accepted.') expiresAt: Date;
}

export class AcceptInvitationRequestDto {
  @Text('The code at the end of the link.', { min: 1, max: MAXIMUM_TEXT_LENGTH, example: '6F1C…' }) activationCode: string;
  @Text('The address that was invited.', { min: 1, max: MAXIMUM_TEXT_LENGTH, example: EXAMPLE_ADDRESS }) email: string;
  @Text(PASSWORD_RULES, { min: 1, max: MAXIMUM_TEXT_LENGTH, example: EXAMPLE_PASSWORD }) password: string;
}

export class AcceptInvitationResponseDto {
  @Bool('True if the invitation was accepted. The browser then has a session.') isSuccessful: boolean;
  @Text('Reason why the invitation was not accepted; null if it was.', { nullable: true, example: 'The password must have a digit.' })
  errorMessage: string | null;
}
