import { Guid, Instant, ListOf, Text, TextList } from '../http/binding/fields.js';
import { MAXIMUM_PASSWORD_LENGTH } from '../authentication/password-policy.js';
import { MAXIMUM_NAME_LENGTH } from './user-name.js';

/** Most preset names in one request; there are only a handful of presets. */
const MAXIMUM_PRESET_NAMES = 100;
const MAXIMUM_PRESET_NAME_LENGTH = 100;

export class UserResponseDto {
  @Guid() id: string;
  @Text({ nullable: true }) userName: string | null;
  @Text({ nullable: true }) email: string | null;
  @Instant() createdAt: Date;
  @TextList({ maxLength: 150, description: "The names of the user's own enabled Allow rows; what groups bring is not in it." })
  permissions: string[];
  @Text({ nullable: true }) displayName: string | null;
}

export class UsersResponseDto {
  @ListOf(() => UserResponseDto) items: UserResponseDto[];
}

export class CreateUserRequestDto {
  @Text({ max: MAXIMUM_NAME_LENGTH, notBlank: true, description: 'Serves as the e-mail address when none is given.' }) userName: string;
  @Text({ nullable: true, max: MAXIMUM_NAME_LENGTH, description: 'The user signs in with it: it is the user name, too.' })
  email: string | null;
  @Text({
    nullable: true,
    max: MAXIMUM_PASSWORD_LENGTH,
    description:
      'At least 8 characters with an upper-case letter, a lower-case letter and a digit. Without one the user cannot sign in yet.',
  })
  password: string | null;
  @TextList({ nullable: true, max: MAXIMUM_PRESET_NAMES, maxLength: MAXIMUM_PRESET_NAME_LENGTH, description: 'First permissions.' })
  presetNames: string[] | null;
}

export class AdminResetPasswordResponseDto {
  @Text({ description: 'Shown this once; the user has to change it.' }) temporaryPassword: string;
}
