import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { LocatedAt } from '../../platform/http/addresses/created-location.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import {
  AddUserGroupMembersRequestDto,
  CreateUserGroupRequestDto,
  RemoveUserGroupMembersRequestDto,
  UpdateUserGroupRequestDto,
  UserGroupDetailDto,
  UserGroupsResponseDto,
} from './user-group.dto.js';
import { userGroupState, UserGroupsService } from './user-groups.service.js';

const USER_GROUP_ID = 'Id of the user group.';
const UNKNOWN = 'The tenant has no such user group.';
const NAME_TAKEN = 'The tenant already has a user group with this name.';

@Group('UserGroups')
@Controller('api/v1/user-groups')
@TenantInQuery()
export class UserGroupsController {
  constructor(private readonly groups: UserGroupsService) {}

  @Post()
  @Tagged(userGroupState)
  @RequireAccess(Permission.TenantUserGroupsWrite)
  @LocatedAt('/api/v1/user-groups/{id}?tenantId={tenantId}')
  @Describe('Create a user group', 'A new group has no members and no permissions.')
  @Answers(201, 'The new group.', UserGroupDetailDto, { 409: NAME_TAKEN })
  create(@Context() context: TenantContext, @Body() body: CreateUserGroupRequestDto): Promise<UserGroupDetailDto> {
    return this.groups.create(context, body);
  }

  @Get()
  @RequireAccess(Permission.TenantUserGroupsRead)
  @Describe('List the user groups', 'All groups of the tenant, sorted by name, without their members.')
  @Answers(200, 'The groups.', UserGroupsResponseDto)
  list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.groups.list(context) });
  }

  @Get(':userGroupId')
  @Tagged(userGroupState)
  @RequireAccess(Permission.TenantUserGroupsRead)
  @Describe('Get a user group', 'The group with all its members.')
  @Answers(200, 'The group with its members.', UserGroupDetailDto, { 404: UNKNOWN })
  async get(
    @Context() context: TenantContext,
    @GuidParam('userGroupId', USER_GROUP_ID) userGroupId: string,
    @Res() response: Response,
  ): Promise<void> {
    return streamJson(response, await this.groups.get(context, userGroupId));
  }

  @Put(':userGroupId')
  @Tagged(userGroupState)
  @RequireAccess(Permission.TenantUserGroupsWrite)
  @Describe('Change a user group', 'Changes the name, and the description if the request contains one.')
  @Answers(200, 'The changed group.', UserGroupDetailDto, { 404: UNKNOWN, 409: NAME_TAKEN })
  async update(
    @Context() context: TenantContext,
    @GuidParam('userGroupId', USER_GROUP_ID) userGroupId: string,
    @Body() body: UpdateUserGroupRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
    @Res() response: Response,
  ): Promise<void> {
    return streamJson(response, await this.groups.update(context, userGroupId, body, expected));
  }

  @Delete(':userGroupId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantUserGroupsWrite)
  @Describe('Delete a user group', 'The users stay, but lose the permissions of the group.')
  @Answers(204, 'The group is deleted.', null, { 404: UNKNOWN })
  remove(
    @Context() context: TenantContext,
    @GuidParam('userGroupId', USER_GROUP_ID) userGroupId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.groups.remove(context, userGroupId, expected);
  }

  @Post(':userGroupId/members')
  @HttpCode(204)
  @RequireAccess(Permission.UserGroupAssignUsers, on.userGroup('userGroupId'))
  @Describe(
    'Add users to a group',
    'The users get the permissions of the group, all of which the caller must hold. Users who are already members are ignored.',
  )
  @Answers(204, 'The users are members.', null, { 404: UNKNOWN })
  addMembers(
    @Context() context: TenantContext,
    @GuidParam('userGroupId', USER_GROUP_ID) userGroupId: string,
    @Body() body: AddUserGroupMembersRequestDto,
  ): Promise<void> {
    return this.groups.addMembers(context, userGroupId, body.userIds);
  }

  @Delete(':userGroupId/members')
  @HttpCode(204)
  @RequireAccess(Permission.UserGroupAssignUsers, on.userGroup('userGroupId'))
  @Describe('Remove users from a group', 'The users lose the permissions of the group. Users who are not members are ignored.')
  @Answers(204, 'The users are no longer members.', null, { 404: UNKNOWN })
  removeMembers(
    @Context() context: TenantContext,
    @GuidParam('userGroupId', USER_GROUP_ID) userGroupId: string,
    @Body() body: RemoveUserGroupMembersRequestDto,
  ): Promise<void> {
    return this.groups.removeMembers(context, userGroupId, body.userIds);
  }
}
