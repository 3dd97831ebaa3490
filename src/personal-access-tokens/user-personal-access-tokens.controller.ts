import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { streamJson } from '../http/json-stream.js';
import { Answers } from '../openapi/operation.js';
import {
  CreatePersonalAccessTokenRequestDto,
  CreatePersonalAccessTokenResponseDto,
  PersonalAccessTokenResponseDto,
  PersonalAccessTokensResponseDto,
  UpdatePersonalAccessTokenRequestDto,
} from './personal-access-token.dto.js';
import { PersonalAccessTokensService } from './personal-access-tokens.service.js';

/** The tokens of any user of the tenant. */
@ApiTags('Users')
@Controller('api/v1/users/:userId/personal-access-tokens')
@TenantInQuery()
export class UserPersonalAccessTokensController {
  constructor(private readonly tokens: PersonalAccessTokensService) {}

  @Post()
  @RequireAccess(Permission.PersonalAccessTokenOthersWrite)
  @Answers(201, '', CreatePersonalAccessTokenResponseDto, { 404: '', 409: '' })
  create(
    @Context() context: TenantContext,
    @GuidParam('userId', '') userId: string,
    @Body() body: CreatePersonalAccessTokenRequestDto,
  ): Promise<CreatePersonalAccessTokenResponseDto> {
    return this.tokens.createFor(context, userId, body);
  }

  @Get()
  @RequireAccess(Permission.PersonalAccessTokenOthersRead)
  @Answers(200, '', PersonalAccessTokensResponseDto, { 404: '' })
  async list(@Context() context: TenantContext, @GuidParam('userId', '') userId: string, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: await this.tokens.list(context, userId) });
  }

  @Put(':tokenId')
  @RequireAccess(Permission.PersonalAccessTokenOthersWrite)
  @Answers(200, '', PersonalAccessTokenResponseDto, { 404: '', 409: '' })
  rename(
    @Context() context: TenantContext,
    @GuidParam('userId', '') userId: string,
    @GuidParam('tokenId', '') tokenId: string,
    @Body() body: UpdatePersonalAccessTokenRequestDto,
  ): Promise<PersonalAccessTokenResponseDto> {
    return this.tokens.rename(context, userId, tokenId, body.name);
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @RequireAccess(Permission.PersonalAccessTokenOthersWrite)
  @Answers(204, '', null, { 404: '' })
  remove(
    @Context() context: TenantContext,
    @GuidParam('userId', '') userId: string,
    @GuidParam('tokenId', '') tokenId: string,
  ): Promise<void> {
    return this.tokens.remove(context, userId, tokenId);
  }
}
