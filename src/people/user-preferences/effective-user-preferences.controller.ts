import { Controller, Get } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAuthenticated, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { EffectiveUserPreferencesDto } from './user-preference.dto.js';
import { UserPreferencesService } from './user-preferences.service.js';

@Group('EffectiveUserPreferences')
@Controller('api/v1/effective-user-preferences')
@TenantInQuery()
export class EffectiveUserPreferencesController {
  constructor(private readonly preferences: UserPreferencesService) {}

  @Get()
  @RequireAuthenticated()
  @Describe(
    'Get the effective preferences',
    'The preferences of the caller that a tenant setting can override, with their effective values.',
  )
  @Answers(200, 'The effective preferences.', EffectiveUserPreferencesDto)
  get(@Context() context: TenantContext): Promise<EffectiveUserPreferencesDto> {
    return this.preferences.effective(context);
  }
}
