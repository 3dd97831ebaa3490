import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, RequireRecentProof, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import {
  CreatePersonalAccessTokenRequestDto,
  CreatePersonalAccessTokenResponseDto,
  MAXIMUM_TOKENS,
  PersonalAccessTokenResponseDto,
  PersonalAccessTokensResponseDto,
  UpdatePersonalAccessTokenRequestDto,
} from './personal-access-token.dto.js';
import { PersonalAccessTokensService, userIdOf } from './personal-access-tokens.service.js';

const UNKNOWN = 'The caller has no such token.';
const NAME_TAKEN = 'The user already has a token with this name.';

@Group('PersonalAccessTokens')
@Controller('api/v1/personal-access-tokens')
@TenantInQuery()
export class PersonalAccessTokensController {
  constructor(private readonly tokens: PersonalAccessTokensService) {}

  @Post()
  @RequireAccess(Permission.PersonalAccessTokenSelfWrite)
  @RequireRecentProof()
  @Describe(
    'Create a token of your own',
    `Only this answer contains the complete value for the \`x-personal-token\` header. A caller with a Restricted token cannot create one with more permissions. A user can have at most ${MAXIMUM_TOKENS} tokens.`,
  )
  @Answers(201, 'The new token and its value.', CreatePersonalAccessTokenResponseDto, { 409: NAME_TAKEN })
  create(
    @Context() context: TenantContext,
    @Body() body: CreatePersonalAccessTokenRequestDto,
  ): Promise<CreatePersonalAccessTokenResponseDto> {
    return this.tokens.createOwn(context, body);
  }

  @Get()
  @RequireAccess(Permission.PersonalAccessTokenSelfRead)
  @Describe('List your tokens', 'The tokens of the calling user, without their secrets.')
  @Answers(200, 'The tokens.', PersonalAccessTokensResponseDto)
  async list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: await this.tokens.list(context, userIdOf(context.principal)) });
  }

  @Put(':id')
  @RequireAccess(Permission.PersonalAccessTokenSelfWrite)
  @Describe('Rename a token of your own', 'Changes only the name.')
  @Answers(200, 'The token with its new name.', PersonalAccessTokenResponseDto, { 404: UNKNOWN, 409: NAME_TAKEN })
  rename(
    @Context() context: TenantContext,
    @GuidParam('id', 'Id of the token.') id: string,
    @Body() body: UpdatePersonalAccessTokenRequestDto,
  ): Promise<PersonalAccessTokenResponseDto> {
    return this.tokens.rename(context, userIdOf(context.principal), id, body.name);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireAccess(Permission.PersonalAccessTokenSelfWrite)
  @Describe('Delete a token of your own', 'The service then refuses requests with the token, and with tokens that were created with it.')
  @Answers(204, 'The token is deleted.', null, { 404: UNKNOWN })
  remove(@Context() context: TenantContext, @GuidParam('id', 'Id of the token.') id: string): Promise<void> {
    return this.tokens.remove(context, userIdOf(context.principal), id);
  }
}
