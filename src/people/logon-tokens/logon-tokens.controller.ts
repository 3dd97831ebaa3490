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
    'Creates a single-use link that signs an existing user in for one device. The session may do what the token allows and no Deny of the user forbids.',
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
    'Creates a single-use link for a person without an account. `userCorrelationId` identifies the person. The service keeps an account without a password for them, and deletes it after some time without use.',
  )
  @Answers(200, 'The token and its link.', LogonTokenResponseDto)
  forExternal(@Context() context: TenantContext, @Body() body: CreateLogonTokenForExternalRequestDto): Promise<LogonTokenResponseDto> {
    return this.tokens.createForExternal(context, body);
  }
}
