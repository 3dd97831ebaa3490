import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type RequestContext } from '../authentication/request-context.js';
import { on, RequireAccess, RequireAuthenticated } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { Answers } from '../openapi/operation.js';
import { ServerAlertRequestDto, ServerAlertResponseDto } from './server-alert.dto.js';
import { ServerAlertService } from './server-alert.service.js';

@ApiTags('ServerAlert')
@Controller('api/v1/server-alert')
export class ServerAlertController {
  constructor(private readonly alert: ServerAlertService) {}

  @Get()
  @RequireAuthenticated()
  @Answers(200, '', ServerAlertResponseDto, { 404: '' })
  get(@Context() context: RequestContext): Promise<ServerAlertResponseDto> {
    return this.alert.get(context);
  }

  @Post()
  @HttpCode(200)
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Answers(200, '', ServerAlertResponseDto, { 400: '' })
  replace(@Context() context: RequestContext, @Body() body: ServerAlertRequestDto): Promise<ServerAlertResponseDto> {
    return this.alert.replace(context, body);
  }
}
