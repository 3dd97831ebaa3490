import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Instant, Text } from '../../platform/http/binding/fields.js';
import { MAXIMUM_CODE_LENGTH } from '../two-factor/two-factor.dto.js';

/** Outcome of a sign-in. */
export enum SignInOutcome {
  SignedIn = 'SignedIn',
  TwoFactorRequired = 'TwoFactorRequired',
  EmailConfirmationRequired = 'EmailConfirmationRequired',
}

const OUTCOME = namesOf('SignInOutcome', SignInOutcome, {
  SignedIn: 'The browser has a session now.',
  TwoFactorRequired: 'The password is right: send it again with a code of the authenticator app, or with a recovery code.',
  EmailConfirmationRequired: 'The password is right, but the e-mail address has to be confirmed first: ask for the mail again.',
});

/** Longest name or password that is read, in characters. Longer ones are wrong in any case. */
const MAXIMUM_TEXT_LENGTH = 256;

export class SignInRequestDto {
  @Text('User name, which is the e-mail address.', { min: 1, max: MAXIMUM_TEXT_LENGTH, example: 'anna@contoso.example' })
  userName: string;
  @Text('Password.', { min: 1, max: MAXIMUM_TEXT_LENGTH, example: 'Correct-Horse-7' }) password: string;
  @Text('Code of the authenticator app, where two-factor sign-in is on.', { nullable: true, max: MAXIMUM_CODE_LENGTH, example: '287 082' })
  twoFactorCode: string | null;
  @Text('Recovery code instead. It counts if both are sent.', { nullable: true, max: MAXIMUM_CODE_LENGTH, example: null })
  recoveryCode: string | null;
  @Bool('True to keep the browser signed in after it is closed.', { default: false }) isPersistent: boolean;
}

export class SignInResponseDto {
  @EnumName('Outcome of the sign-in.', OUTCOME) outcome: SignInOutcome;
  @Bool('True if the user must set a new password before anything else.') mustChangePassword: boolean;
}

export class StepUpRequestDto {
  @Text('Password of the user.', { nullable: true, min: 1, max: MAXIMUM_TEXT_LENGTH, example: 'Correct-Horse-7' })
  password: string | null;
  @Text('Code of the authenticator app instead. It counts if there is no password.', {
    nullable: true,
    max: MAXIMUM_CODE_LENGTH,
    example: '287 082',
  })
  twoFactorCode: string | null;
}

export class StepUpResponseDto {
  @Instant('Time until which changes of credentials ask for no other proof.') provenUntil: Date;
}
