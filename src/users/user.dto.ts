import { Guid, Instant, ListOf, Text, TextList } from '../http/binding/fields.js';
import { MAXIMUM_PASSWORD_LENGTH } from '../authentication/password-policy.js';
import { MAXIMUM_NAME_LENGTH } from './user-name.js';

/** Most preset names in one request; there are only a handful of presets. */
const MAXIMUM_PRESET_NAMES = 100;
const MAXIMUM_PRESET_NAME_LENGTH = 100;

export class UserResponseDto {
  @Guid('') id: string;
  @Text('', { nullable: true }) userName: string | null;
  @Text('', { nullable: true }) email: string | null;
  @Instant('') createdAt: Date;
  @TextList("The names of the user's own enabled Allow rows; what groups bring is not in it.", { maxLength: 150 })
  permissions: string[];
  @Text('', { nullable: true }) displayName: string | null;
}

export class UsersResponseDto {
  @ListOf('', () => UserResponseDto) items: UserResponseDto[];
}

export class CreateUserRequestDto {
  @Text('Serves as the e-mail address when none is given.', { max: MAXIMUM_NAME_LENGTH, notBlank: true }) userName: string;
  @Text('The user signs in with it: it is the user name, too.', { nullable: true, max: MAXIMUM_NAME_LENGTH })
  email: string | null;
  @Text('At least 8 characters with an upper-case letter, a lower-case letter and a digit. Without one the user cannot sign in yet.', {
    nullable: true,
    max: MAXIMUM_PASSWORD_LENGTH,
  })
  password: string | null;
  @TextList('First permissions.', { nullable: true, max: MAXIMUM_PRESET_NAMES, maxLength: MAXIMUM_PRESET_NAME_LENGTH })
  presetNames: string[] | null;
}

export class AdminResetPasswordResponseDto {
  @Text('Shown this once; the user has to change it.') temporaryPassword: string;
}
