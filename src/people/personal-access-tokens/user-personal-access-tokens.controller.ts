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
import { PersonalAccessTokensService } from './personal-access-tokens.service.js';

const USER_ID = 'Id of the user.';
const TOKEN_ID = 'Id of the token.';
const UNKNOWN_USER = 'The tenant has no such user.';
const UNKNOWN = 'The tenant has no such user, or the user has no such token.';
const NAME_TAKEN = 'The user already has a token with this name.';

@Group('Users')
@Controller('api/v1/users/:userId/personal-access-tokens')
@TenantInQuery()
export class UserPersonalAccessTokensController {
  constructor(private readonly tokens: PersonalAccessTokensService) {}

  @Post()
  @RequireAccess(Permission.PersonalAccessTokenOthersWrite)
  @RequireRecentProof()
  @Describe(
    'Create a token for a user',
    `The token acts as the user, so the caller must hold everything that the user holds. Only this answer contains the complete header value. A user can have at most ${MAXIMUM_TOKENS} tokens.`,
  )
  @Answers(201, 'The new token and its value.', CreatePersonalAccessTokenResponseDto, { 404: UNKNOWN_USER, 409: NAME_TAKEN })
  create(
    @Context() context: TenantContext,
    @GuidParam('userId', USER_ID) userId: string,
    @Body() body: CreatePersonalAccessTokenRequestDto,
  ): Promise<CreatePersonalAccessTokenResponseDto> {
    return this.tokens.createFor(context, userId, body);
  }

  @Get()
  @RequireAccess(Permission.PersonalAccessTokenOthersRead)
  @Describe('List the tokens of a user', 'The tokens, without their secrets.')
  @Answers(200, 'The tokens.', PersonalAccessTokensResponseDto, { 404: UNKNOWN_USER })
  async list(@Context() context: TenantContext, @GuidParam('userId', USER_ID) userId: string, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: await this.tokens.list(context, userId) });
  }

  @Put(':tokenId')
  @RequireAccess(Permission.PersonalAccessTokenOthersWrite)
  @Describe('Rename a token of a user', 'Changes only the name.')
  @Answers(200, 'The token with its new name.', PersonalAccessTokenResponseDto, { 404: UNKNOWN, 409: NAME_TAKEN })
  rename(
    @Context() context: TenantContext,
    @GuidParam('userId', USER_ID) userId: string,
    @GuidParam('tokenId', TOKEN_ID) tokenId: string,
    @Body() body: UpdatePersonalAccessTokenRequestDto,
  ): Promise<PersonalAccessTokenResponseDto> {
    return this.tokens.rename(context, userId, tokenId, body.name);
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @RequireAccess(Permission.PersonalAccessTokenOthersWrite)
  @Describe('Delete a token of a user', 'The service then refuses requests with the token, and with tokens that were created with it.')
  @Answers(204, 'The token is deleted.', null, { 404: UNKNOWN })
  remove(
    @Context() context: TenantContext,
    @GuidParam('userId', USER_ID) userId: string,
    @GuidParam('tokenId', TOKEN_ID) tokenId: string,
  ): Promise<void> {
    return this.tokens.remove(context, userId, tokenId);
  }
}
