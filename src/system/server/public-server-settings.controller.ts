import { Controller, Get } from '@nestjs/common';

import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { Cached } from '../../platform/http/response-cache.js';
import { Answers, Describe, Group } from '../openapi/operation.js';
import { PublicServerSettingsDto } from './public-server-settings.dto.js';
import { PublicServerSettingsService } from './public-server-settings.service.js';

@Group('PublicServerSettings')
@Controller('api/v1/public-server-settings')
export class PublicServerSettingsController {
  constructor(private readonly settings: PublicServerSettingsService) {}

  @Get()
  @AllowAnonymous()
  @Cached(60)
  @Describe('Get the public settings', 'The settings that clients need before sign-in.')
  @Answers(200, 'The settings.', PublicServerSettingsDto)
  get(): PublicServerSettingsDto {
    return this.settings.get();
  }
}
