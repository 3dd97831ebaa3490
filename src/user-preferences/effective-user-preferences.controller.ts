import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { RequireAuthenticated, TenantInQuery } from '../authorization/access.js';
import { Answers } from '../openapi/operation.js';
import { EffectiveUserPreferencesDto } from './user-preference.dto.js';
import { UserPreferencesService } from './user-preferences.service.js';

@ApiTags('EffectiveUserPreferences')
@Controller('api/v1/effective-user-preferences')
@TenantInQuery()
export class EffectiveUserPreferencesController {
  constructor(private readonly preferences: UserPreferencesService) {}

  @Get()
  @RequireAuthenticated()
  @Answers(200, '', EffectiveUserPreferencesDto)
  get(@Context() context: TenantContext): Promise<EffectiveUserPreferencesDto> {
    return this.preferences.effective(context);
  }
}
