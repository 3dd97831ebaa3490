import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { Answers, Describe, Group } from '../openapi/operation.js';
import { ServerSettingsResponseDto } from './server-settings.dto.js';
import { ServerSettingsService } from './server-settings.service.js';

@Group('ServerSettings')
@Controller('account/server-settings')
export class ServerSettingsController {
  constructor(private readonly settings: ServerSettingsService) {}

  @Get()
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Describe(
    'Get the settings of the server',
    'Mail, public address, registration and providers: the options that are set or missing, and their variables. Values of secrets are never included. The service reads options when it starts.',
  )
  @Answers(200, 'The settings.', ServerSettingsResponseDto)
  get(@Context() context: RequestContext, @Req() request: Request): Promise<ServerSettingsResponseDto> {
    return this.settings.get(context, request);
  }
}
