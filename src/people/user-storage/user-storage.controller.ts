import { Body, Controller, Delete, Get, HttpCode, Post, UseInterceptors } from '@nestjs/common';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { RequireAuthenticated, TenantInQuery } from '../../access/authorization/guard/access.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { TextParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { NoContentWhenNull } from '../../platform/http/bodies/no-content.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { UserStorageRequestDto, UserStorageResponseDto } from './user-storage.dto.js';
import { storedTextState, UserStorageService } from './user-storage.service.js';

const KEY = 'Key of the text, 1 to 256 letters, digits and hyphens.';
const EXAMPLE_KEY = 'device-grid-columns';

@Group('UserStorage')
@Controller('api/v1/user-storage')
@TenantInQuery()
export class UserStorageController {
  constructor(private readonly storage: UserStorageService) {}

  @Post()
  @Tagged(storedTextState)
  @HttpCode(200)
  @RequireAuthenticated()
  @Describe(
    'Store a text',
    'Stores a text of the caller under a key, and replaces the existing one. The service does not interpret it. ' +
      'To change a text that may change at the same time, read it, send it as `replaces`, and start over after 409.',
  )
  @Answers(200, 'The stored text.', UserStorageResponseDto, { 409: 'The stored text is not that of `replaces`.' })
  set(
    @Context() context: RequestContext,
    @Body() body: UserStorageRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<UserStorageResponseDto> {
    return this.storage.set(context, body, expected);
  }

  @Get(':key')
  @Tagged(storedTextState)
  @RequireAuthenticated()
  @UseInterceptors(NoContentWhenNull)
  @Describe('Get a text', 'Returns the text that the caller has stored under the key.')
  @Answers(200, 'The stored text.', UserStorageResponseDto)
  @Answers(204, 'Nothing is stored under the key.', null)
  get(@Context() context: RequestContext, @TextParam('key', KEY, EXAMPLE_KEY) key: string): Promise<UserStorageResponseDto | null> {
    return this.storage.get(context, key);
  }

  @Delete(':key')
  @HttpCode(204)
  @RequireAuthenticated()
  @Describe('Delete a text', 'Deletes the text under the key.')
  @Answers(204, 'The text is deleted.', null, { 404: 'Nothing is stored under the key.' })
  remove(
    @Context() context: RequestContext,
    @TextParam('key', KEY, EXAMPLE_KEY) key: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.storage.remove(context, key, expected);
  }
}
