import { Body, Controller, Get, HttpCode, Post, Put, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type RequestContext } from '../authentication/request-context.js';
import { RequireAuthenticated, TenantInQuery } from '../authorization/access.js';
import { TextParam } from '../http/binding/route-parameters.js';
import { NoContentWhenNull } from '../http/no-content.js';
import { Answers } from '../openapi/operation.js';
import { UserPreferenceRequestDto, UserPreferenceResponseDto, UserPreferencesDto } from './user-preference.dto.js';
import { UserPreferencesService } from './user-preferences.service.js';

@ApiTags('UserPreferences')
@Controller('api/v1/user-preferences')
@TenantInQuery()
export class UserPreferencesController {
  constructor(private readonly preferences: UserPreferencesService) {}

  @Get()
  @RequireAuthenticated()
  @Answers(200, '', UserPreferencesDto)
  list(@Context() context: RequestContext): Promise<UserPreferencesDto> {
    return this.preferences.list(context);
  }

  @Get(':name')
  @RequireAuthenticated()
  @UseInterceptors(NoContentWhenNull)
  @Answers(200, '', UserPreferenceResponseDto)
  @Answers(204, '', null)
  get(@Context() context: RequestContext, @TextParam('name', '', '') name: string): Promise<UserPreferenceResponseDto | null> {
    return this.preferences.get(context, name);
  }

  @Post()
  @HttpCode(200)
  @RequireAuthenticated()
  @Answers(200, '', UserPreferenceResponseDto)
  set(@Context() context: RequestContext, @Body() body: UserPreferenceRequestDto): Promise<UserPreferenceResponseDto> {
    return this.preferences.set(context, body.name, body.value);
  }

  @Put()
  @RequireAuthenticated()
  @Answers(200, '', UserPreferencesDto)
  replace(@Context() context: RequestContext, @Body() body: UserPreferencesDto): Promise<UserPreferencesDto> {
    return this.preferences.replace(context, body);
  }
}
