import { Guid, GuidList, Instant, Int, ListOf, Name, Text } from '../http/binding/fields.js';

/** Most users in one request. */
export const MAXIMUM_MEMBERS_PER_REQUEST = 1_000;

export class UserGroupDto {
  @Guid('') id: string;
  @Text('') name: string;
  @Text('', { nullable: true }) description: string | null;
  @Instant('') createdAt: Date;
  @Int('') memberCount: number;
}

export class UserGroupsResponseDto {
  @ListOf('', () => UserGroupDto) items: UserGroupDto[];
}

export class UserGroupMemberDto {
  @Guid('') userId: string;
  @Text('') userName: string;
  @Text('', { nullable: true }) displayName: string | null;
  @Instant('', { nullable: true }) lastLogin: Date | null;
}

export class UserGroupDetailDto {
  @Guid('') id: string;
  @Text('') name: string;
  @Text('', { nullable: true }) description: string | null;
  @Instant('') createdAt: Date;
  @ListOf('', () => UserGroupMemberDto) members: UserGroupMemberDto[];
}

export class CreateUserGroupRequestDto {
  @Name('', { min: 1, max: 100 }) name: string;
  @Text('', { nullable: true, max: 500 }) description: string | null;
}

export class UpdateUserGroupRequestDto {
  @Name('', { min: 1, max: 100 }) name: string;
  @Text('', { nullable: true, keptIfLeftOut: true, max: 500 }) description?: string | null;
}

export class AddUserGroupMembersRequestDto {
  @GuidList('', { max: MAXIMUM_MEMBERS_PER_REQUEST }) userIds: string[];
}

export class RemoveUserGroupMembersRequestDto extends AddUserGroupMembersRequestDto {}
