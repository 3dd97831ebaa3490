import { MAXIMUM_PASSWORD_LENGTH } from '../../access/authentication/passwords/password-policy.js';
import { Guid, Instant, ListOf, Text, TextList } from '../../platform/http/binding/fields.js';
import { MAXIMUM_NAME_LENGTH } from './user-name.js';

/** Most preset names in one request; there are only a handful of presets. */
const MAXIMUM_PRESET_NAMES = 100;
const MAXIMUM_PRESET_NAME_LENGTH = 100;

export class UserResponseDto {
  @Guid('Id of the user.') id: string;
  @Text('Name under which the user signs in.', { nullable: true, example: 'anna@contoso.example' }) userName: string | null;
  @Text('E-mail address of the user; null if it has none.', { nullable: true, example: 'anna@contoso.example' }) email: string | null;
  @Instant('Creation time of the user.') createdAt: Date;
  @TextList("Names of the permissions that the user's own enabled assignments allow. Those of its groups are not included.", {
    maxLength: 150,
    example: ['personal-access-token.self.read'],
  })
  permissions: string[];
  @Text('Name that the user has chosen to show; null if none.', { nullable: true, example: 'Anna Berg' }) displayName: string | null;
}

export class UsersResponseDto {
  @ListOf('The users, sorted by name.', () => UserResponseDto) items: UserResponseDto[];
}

export class CreateUserRequestDto {
  @Text('Name under which the user signs in. It is also the e-mail address if none is given.', {
    max: MAXIMUM_NAME_LENGTH,
    notBlank: true,
    example: 'anna@contoso.example',
  })
  userName: string;
  @Text('E-mail address. If it is given, the user signs in with it.', {
    nullable: true,
    max: MAXIMUM_NAME_LENGTH,
    example: 'anna@contoso.example',
  })
  email: string | null;
  @Text(
    'At least 8 characters with an upper-case letter, a lower-case letter and a digit, and none of the passwords that many people use. Without a password the user cannot sign in yet.',
    { nullable: true, max: MAXIMUM_PASSWORD_LENGTH, example: 'Correct-Horse-7' },
  )
  password: string | null;
  @TextList('Names of presets, in any case, whose permissions the user gets.', {
    nullable: true,
    max: MAXIMUM_PRESET_NAMES,
    maxLength: MAXIMUM_PRESET_NAME_LENGTH,
    example: ['Agent Installer'],
  })
  presetNames: string[] | null;
}

export class AdminResetPasswordResponseDto {
  @Text('The new password, which the user must change. It is shown only now.', { example: 'mK4-vT9qWz2b' }) temporaryPassword: string;
}
