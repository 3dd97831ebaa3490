import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, RequireAuthenticated } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { Answers, Describe, Group } from '../openapi/operation.js';
import { ServerAlertRequestDto, ServerAlertResponseDto } from './server-alert.dto.js';
import { serverAlertState, ServerAlertService } from './server-alert.service.js';

@Group('ServerAlert')
@Controller('api/v1/server-alert')
export class ServerAlertController {
  constructor(private readonly alert: ServerAlertService) {}

  @Get()
  @Tagged(serverAlertState)
  @RequireAuthenticated()
  @Describe('Get the server alert', 'The server has one alert. It is returned even if it is not enabled.')
  @Answers(200, 'The alert.', ServerAlertResponseDto, { 404: 'The database has no row for the alert.' })
  get(@Context() context: RequestContext): Promise<ServerAlertResponseDto> {
    return this.alert.get(context);
  }

  @Post()
  @Tagged(serverAlertState)
  @HttpCode(200)
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Describe('Replace the server alert', 'Replaces the whole alert. To hide it, send `isEnabled` as false.')
  @Answers(200, 'The changed alert.', ServerAlertResponseDto)
  replace(
    @Context() context: RequestContext,
    @Body() body: ServerAlertRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<ServerAlertResponseDto> {
    return this.alert.replace(context, body, expected);
  }
}
