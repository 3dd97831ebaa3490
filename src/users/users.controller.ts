import { Body, Controller, Delete, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { streamJson } from '../http/json-stream.js';
import { Answers } from '../openapi/operation.js';
import { AdminResetPasswordResponseDto, CreateUserRequestDto, UserResponseDto, UsersResponseDto } from './user.dto.js';
import { UsersService } from './users.service.js';

@ApiTags('Users')
@Controller('api/v1/users')
@TenantInQuery()
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Post()
  @RequireAccess(Permission.TenantUsersWrite)
  @Answers(201, '', UserResponseDto)
  create(@Context() context: TenantContext, @Body() body: CreateUserRequestDto): Promise<UserResponseDto> {
    return this.users.create(context, body);
  }

  @Get()
  @RequireAccess(Permission.TenantUsersRead)
  @Answers(200, '', UsersResponseDto)
  list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.users.list(context) });
  }

  @Delete(':userId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantUsersDelete)
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: TenantContext, @GuidParam('userId', '') userId: string): Promise<void> {
    return this.users.remove(context, userId);
  }

  @Post(':userId/reset-password')
  @HttpCode(200)
  @RequireAccess(Permission.TenantUsersWrite)
  @Answers(200, '', AdminResetPasswordResponseDto, { 404: '' })
  async resetPassword(@Context() context: TenantContext, @GuidParam('userId', '') userId: string): Promise<AdminResetPasswordResponseDto> {
    return { temporaryPassword: await this.users.resetPassword(context, userId) };
  }
}
