import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { LocatedAt } from '../http/created-location.js';
import { streamJson } from '../http/json-stream.js';
import { Answers } from '../openapi/operation.js';
import {
  AddUserGroupMembersRequestDto,
  CreateUserGroupRequestDto,
  RemoveUserGroupMembersRequestDto,
  UpdateUserGroupRequestDto,
  UserGroupDetailDto,
  UserGroupsResponseDto,
} from './user-group.dto.js';
import { UserGroupsService } from './user-groups.service.js';

@ApiTags('UserGroups')
@Controller('api/v1/user-groups')
@TenantInQuery()
export class UserGroupsController {
  constructor(private readonly groups: UserGroupsService) {}

  @Post()
  @RequireAccess(Permission.TenantUserGroupsWrite)
  @LocatedAt('/api/v1/user-groups/{id}?tenantId={tenantId}')
  @Answers(201, '', UserGroupDetailDto, { 404: '', 409: '' })
  create(@Context() context: TenantContext, @Body() body: CreateUserGroupRequestDto): Promise<UserGroupDetailDto> {
    return this.groups.create(context, body);
  }

  @Get()
  @RequireAccess(Permission.TenantUserGroupsRead)
  @Answers(200, '', UserGroupsResponseDto)
  list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.groups.list(context) });
  }

  @Get(':userGroupId')
  @RequireAccess(Permission.TenantUserGroupsRead)
  @Answers(200, '', UserGroupDetailDto, { 404: '' })
  async get(
    @Context() context: TenantContext,
    @GuidParam('userGroupId', '') userGroupId: string,
    @Res() response: Response,
  ): Promise<void> {
    return streamJson(response, await this.groups.get(context, userGroupId));
  }

  @Put(':userGroupId')
  @RequireAccess(Permission.TenantUserGroupsWrite)
  @Answers(200, '', UserGroupDetailDto, { 404: '', 409: '' })
  async update(
    @Context() context: TenantContext,
    @GuidParam('userGroupId', '') userGroupId: string,
    @Body() body: UpdateUserGroupRequestDto,
    @Res() response: Response,
  ): Promise<void> {
    return streamJson(response, await this.groups.update(context, userGroupId, body));
  }

  @Delete(':userGroupId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantUserGroupsWrite)
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: TenantContext, @GuidParam('userGroupId', '') userGroupId: string): Promise<void> {
    return this.groups.remove(context, userGroupId);
  }

  @Post(':userGroupId/members')
  @HttpCode(204)
  @RequireAccess(Permission.UserGroupAssignUsers, on.userGroup('userGroupId'))
  @Answers(204, '', null, { 404: '' })
  addMembers(
    @Context() context: TenantContext,
    @GuidParam('userGroupId', '') userGroupId: string,
    @Body() body: AddUserGroupMembersRequestDto,
  ): Promise<void> {
    return this.groups.addMembers(context, userGroupId, body.userIds);
  }

  @Delete(':userGroupId/members')
  @HttpCode(204)
  @RequireAccess(Permission.UserGroupAssignUsers, on.userGroup('userGroupId'))
  @Answers(204, '', null, { 404: '' })
  removeMembers(
    @Context() context: TenantContext,
    @GuidParam('userGroupId', '') userGroupId: string,
    @Body() body: RemoveUserGroupMembersRequestDto,
  ): Promise<void> {
    return this.groups.removeMembers(context, userGroupId, body.userIds);
  }
}
