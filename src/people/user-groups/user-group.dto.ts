import { Guid, GuidList, Instant, Int, ListOf, Name, Text } from '../../platform/http/binding/fields.js';

/** Most users in one request. */
const MAXIMUM_MEMBERS_PER_REQUEST = 1_000;

export class UserGroupDto {
  @Guid('Id of the group.') id: string;
  @Text('Name of the group, unique within the tenant.', { example: 'Support' }) name: string;
  @Text('Description for people.', { nullable: true, example: 'First-level support' }) description: string | null;
  @Instant('Creation time of the group.') createdAt: Date;
  @Int('Number of its members.', { example: 4 }) memberCount: number;
}

export class UserGroupsResponseDto {
  @ListOf('The groups, sorted by name.', () => UserGroupDto) items: UserGroupDto[];
}

export class UserGroupMemberDto {
  @Guid('Id of the user.') userId: string;
  @Text('Name under which the user signs in.', { example: 'anna@contoso.example' }) userName: string;
  @Text('Name that the user has chosen to show; null if none.', { nullable: true, example: 'Anna Berg' }) displayName: string | null;
  @Instant('Last sign-in of the user; null if there was none.', { nullable: true }) lastLogin: Date | null;
}

export class UserGroupDetailDto {
  @Guid('Id of the group.') id: string;
  @Text('Name of the group, unique within the tenant.', { example: 'Support' }) name: string;
  @Text('Description for people.', { nullable: true, example: 'First-level support' }) description: string | null;
  @Instant('Creation time of the group.') createdAt: Date;
  @ListOf('The members, sorted by name.', () => UserGroupMemberDto) members: UserGroupMemberDto[];
}

export class CreateUserGroupRequestDto {
  @Name('Name of the group, unique within the tenant.', { min: 1, max: 100, example: 'Support' }) name: string;
  @Text('Description for people.', { nullable: true, max: 500, example: 'First-level support' }) description: string | null;
}

export class UpdateUserGroupRequestDto {
  @Name('Name of the group, unique within the tenant.', { min: 1, max: 100, example: 'Support' }) name: string;
  @Text('Description for people.', { nullable: true, unchangedIfOmitted: true, max: 500, example: 'First-level support' }) description?:
    string | null;
}

export class AddUserGroupMembersRequestDto {
  @GuidList('Ids of users of the tenant.', { max: MAXIMUM_MEMBERS_PER_REQUEST }) userIds: string[];
}

export class RemoveUserGroupMembersRequestDto extends AddUserGroupMembersRequestDto {}
