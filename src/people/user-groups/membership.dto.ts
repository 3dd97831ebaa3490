import { Guid, Int, ListOf, Text, TextList } from '../../platform/http/binding/fields.js';

export class UserMembershipsDto {
  @Guid('Id of the user.') userId: string;
  @Int('Number of user groups that the user is in.', { example: 4 }) groupCount: number;
  @TextList('Names of the first three of them.', { maxLength: 100, example: ['Helpdesk', 'On call'] }) groupNames: string[];
}

export class MembershipsResponseDto {
  @ListOf('The users of the tenant that are in a user group.', () => UserMembershipsDto) items: UserMembershipsDto[];
}

export class UserMembershipDto {
  @Guid('Id of the user group.') id: string;
  @Text('Name of the user group.', { example: 'Helpdesk' }) name: string;
  @Text('Description of the user group for people.', { nullable: true, example: 'First-level support' }) description: string | null;
}

export class UserMembershipsResponseDto {
  @ListOf('The user groups of the user, sorted by name.', () => UserMembershipDto) items: UserMembershipDto[];
}
