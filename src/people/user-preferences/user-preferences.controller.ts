import { Body, Controller, Get, HttpCode, Post, Put, UseInterceptors } from '@nestjs/common';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { RequireAuthenticated, TenantInQuery } from '../../access/authorization/guard/access.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { TextParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { NoContentWhenNull } from '../../platform/http/bodies/no-content.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { UserPreferenceRequestDto, UserPreferenceResponseDto, UserPreferencesDto } from './user-preference.dto.js';
import { userPreferencesState, UserPreferencesService, userPreferenceState } from './user-preferences.service.js';

const NAME = 'Name of the preference, 1 to 100 letters, digits and hyphens.';
const EXAMPLE_NAME = 'theme-mode';

@Group('UserPreferences')
@Controller('api/v1/user-preferences')
@TenantInQuery()
export class UserPreferencesController {
  constructor(private readonly preferences: UserPreferencesService) {}

  @Get()
  @Tagged(userPreferencesState)
  @RequireAuthenticated()
  @Describe('List the preferences', "The caller's preferences that the service knows, with defaults for those that are not set.")
  @Answers(200, 'The preferences.', UserPreferencesDto)
  list(@Context() context: RequestContext): Promise<UserPreferencesDto> {
    return this.preferences.list(context);
  }

  @Get(':name')
  @Tagged(userPreferenceState)
  @RequireAuthenticated()
  @UseInterceptors(NoContentWhenNull)
  @Describe('Get a preference', 'Returns the text stored under the name, also for names that the service does not know.')
  @Answers(200, 'The preference.', UserPreferenceResponseDto)
  @Answers(204, 'The preference is not set.', null)
  get(@Context() context: RequestContext, @TextParam('name', NAME, EXAMPLE_NAME) name: string): Promise<UserPreferenceResponseDto | null> {
    return this.preferences.get(context, name);
  }

  @Post()
  @Tagged(userPreferenceState)
  @HttpCode(200)
  @RequireAuthenticated()
  @Describe(
    'Set a preference',
    'Stores a text under a name. For preferences that the service knows, the text must be valid; under other names any text is stored. A blank value removes the preference.',
  )
  @Answers(200, 'The changed preference.', UserPreferenceResponseDto)
  set(
    @Context() context: RequestContext,
    @Body() body: UserPreferenceRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<UserPreferenceResponseDto> {
    return this.preferences.set(context, body.name, body.value, expected);
  }

  @Put()
  @Tagged(userPreferencesState)
  @RequireAuthenticated()
  @Describe('Replace the preferences', 'Sets every preference that the service knows. Preferences with other names stay.')
  @Answers(200, 'The changed preferences.', UserPreferencesDto)
  replace(
    @Context() context: RequestContext,
    @Body() body: UserPreferencesDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<UserPreferencesDto> {
    return this.preferences.change(context, body, expected);
  }
}
