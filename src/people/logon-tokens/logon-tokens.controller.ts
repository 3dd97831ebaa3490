import { Body, Controller, HttpCode, Post } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, TenantInBody } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { CreateLogonTokenForExternalRequestDto, CreateLogonTokenForUserRequestDto, LogonTokenResponseDto } from './logon-token.dto.js';
import { LogonTokensService } from './logon-tokens.service.js';

@Group('LogonTokens')
@Controller('api/v1/logon-tokens')
export class LogonTokensController {
  constructor(private readonly tokens: LogonTokensService) {}

  @Post('user')
  @HttpCode(200)
  @TenantInBody()
  @RequireAccess(Permission.DeviceLogonTokenCreate, on.deviceOfTenantInBody('deviceId'))
  @Describe(
    'Create a logon token for a user',
    'Makes a single-use link that signs an existing user in for one device. The session may do what the token allows and the user is not denied.',
  )
  @Answers(200, 'The token and its link.', LogonTokenResponseDto)
  forUser(@Context() context: TenantContext, @Body() body: CreateLogonTokenForUserRequestDto): Promise<LogonTokenResponseDto> {
    return this.tokens.createForUser(context, body);
  }

  @Post('external')
  @HttpCode(200)
  @TenantInBody()
  @RequireAccess(Permission.DeviceLogonTokenCreate, on.deviceOfTenantInBody('deviceId'))
  @Describe(
    'Create a logon token for a person of another system',
    'Makes a single-use link for somebody who has no account here. The person is known by `userCorrelationId`; an account without a password is kept for it and removed after a time without use.',
  )
  @Answers(200, 'The token and its link.', LogonTokenResponseDto)
  forExternal(@Context() context: TenantContext, @Body() body: CreateLogonTokenForExternalRequestDto): Promise<LogonTokenResponseDto> {
    return this.tokens.createForExternal(context, body);
  }
}
