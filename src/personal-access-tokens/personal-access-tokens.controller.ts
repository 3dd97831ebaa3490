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
import { PersonalAccessTokensService, userIdOf } from './personal-access-tokens.service.js';

/** The calling user's own tokens. */
@ApiTags('PersonalAccessTokens')
@Controller('api/v1/personal-access-tokens')
@TenantInQuery()
export class PersonalAccessTokensController {
  constructor(private readonly tokens: PersonalAccessTokensService) {}

  @Post()
  @RequireAccess(Permission.PersonalAccessTokenSelfWrite)
  @Answers(201, '', CreatePersonalAccessTokenResponseDto, { 409: '' })
  create(
    @Context() context: TenantContext,
    @Body() body: CreatePersonalAccessTokenRequestDto,
  ): Promise<CreatePersonalAccessTokenResponseDto> {
    return this.tokens.createOwn(context, body);
  }

  @Get()
  @RequireAccess(Permission.PersonalAccessTokenSelfRead)
  @Answers(200, '', PersonalAccessTokensResponseDto)
  async list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: await this.tokens.list(context, userIdOf(context.principal)) });
  }

  @Put(':id')
  @RequireAccess(Permission.PersonalAccessTokenSelfWrite)
  @Answers(200, '', PersonalAccessTokenResponseDto, { 404: '', 409: '' })
  rename(
    @Context() context: TenantContext,
    @GuidParam('id', '') id: string,
    @Body() body: UpdatePersonalAccessTokenRequestDto,
  ): Promise<PersonalAccessTokenResponseDto> {
    return this.tokens.rename(context, userIdOf(context.principal), id, body.name);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireAccess(Permission.PersonalAccessTokenSelfWrite)
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: TenantContext, @GuidParam('id', '') id: string): Promise<void> {
    return this.tokens.remove(context, userIdOf(context.principal), id);
  }
}
