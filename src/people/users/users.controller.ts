import { Body, Controller, Delete, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, RequireRecentProof, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { AdminResetPasswordResponseDto, CreateUserRequestDto, UserResponseDto, UsersResponseDto } from './user.dto.js';
import { UserCreation } from './user-creation.js';
import { UsersService } from './users.service.js';

const UNKNOWN = 'The tenant has no such user.';

@Group('Users')
@Controller('api/v1/users')
@TenantInQuery()
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly creation: UserCreation,
  ) {}

  @Post()
  @RequireAccess(Permission.TenantUsersWrite)
  @Describe(
    'Create a user',
    'Creates a user of the tenant with the permissions of presets. Presets that the caller may not grant are refused.',
  )
  @Answers(201, 'The new user.', UserResponseDto)
  create(@Context() context: TenantContext, @Body() body: CreateUserRequestDto): Promise<UserResponseDto> {
    return this.creation.create(context, body);
  }

  @Get()
  @RequireAccess(Permission.TenantUsersRead)
  @Describe('List the users', 'All users of the tenant, sorted by name.')
  @Answers(200, 'The users.', UsersResponseDto)
  list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.users.list(context) });
  }

  @Delete(':userId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantUsersDelete)
  @Describe(
    'Delete a user',
    'Deletes the user with its tokens, tokens created with these, memberships and permission assignments. Callers cannot delete themselves.',
  )
  @Answers(204, 'The user is deleted.', null, { 404: UNKNOWN })
  remove(@Context() context: TenantContext, @GuidParam('userId', 'Id of the user.') userId: string): Promise<void> {
    return this.users.remove(context, userId);
  }

  @Post(':userId/reset-password')
  @HttpCode(200)
  @RequireAccess(Permission.TenantUsersWrite)
  @RequireRecentProof()
  @Describe(
    'Reset the password of a user',
    'Sets a temporary password, which the user must change at the next sign-in, and ends a pending invite. The caller must hold everything that the user holds.',
  )
  @Answers(200, 'The temporary password.', AdminResetPasswordResponseDto, { 404: UNKNOWN })
  async resetPassword(
    @Context() context: TenantContext,
    @GuidParam('userId', 'Id of the user.') userId: string,
  ): Promise<AdminResetPasswordResponseDto> {
    return { temporaryPassword: await this.users.resetPassword(context, userId) };
  }
}
