import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { on, RequireAccess, TenantInBody } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { Answers } from '../openapi/operation.js';
import { CreateLogonTokenForExternalRequestDto, CreateLogonTokenForUserRequestDto, LogonTokenResponseDto } from './logon-token.dto.js';
import { LogonTokensService } from './logon-tokens.service.js';

@ApiTags('LogonTokens')
@Controller('api/v1/logon-tokens')
export class LogonTokensController {
  constructor(private readonly tokens: LogonTokensService) {}

  @Post('user')
  @HttpCode(200)
  @TenantInBody()
  @RequireAccess(Permission.DeviceLogonTokenCreate, on.deviceOfTenantInBody('deviceId'))
  @Answers(200, '', LogonTokenResponseDto)
  forUser(@Context() context: TenantContext, @Body() body: CreateLogonTokenForUserRequestDto): Promise<LogonTokenResponseDto> {
    return this.tokens.createForUser(context, body);
  }

  @Post('external')
  @HttpCode(200)
  @TenantInBody()
  @RequireAccess(Permission.DeviceLogonTokenCreate, on.deviceOfTenantInBody('deviceId'))
  @Answers(200, '', LogonTokenResponseDto)
  forExternal(@Context() context: TenantContext, @Body() body: CreateLogonTokenForExternalRequestDto): Promise<LogonTokenResponseDto> {
    return this.tokens.createForExternal(context, body);
  }
}
