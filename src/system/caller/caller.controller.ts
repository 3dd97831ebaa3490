import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { AllowAnonymous, AllowedBeforePasswordChange, RequireAuthenticated } from '../../access/authorization/guard/access.js';
import { Answers, Describe, Group } from '../openapi/operation.js';
import { CallerSessionDto, DevicePermissionsRequestDto, DevicePermissionsResponseDto } from './caller.dto.js';
import { CallerService } from './caller.service.js';
import { HeldPermissions } from './held-permissions.js';
import { ServerOfferDto } from './server-offer.dto.js';
import { ServerOffer } from './server-offer.js';

@Group('Caller')
@Controller('account')
export class CallerController {
  constructor(
    private readonly caller: CallerService,
    private readonly permissions: HeldPermissions,
    private readonly offer: ServerOffer,
  ) {}

  @Get('server')
  @AllowAnonymous()
  @Describe('Get the data of a page before sign-in', 'The name of the service, and the ways to sign in and register.')
  @Answers(200, 'The data.', ServerOfferDto)
  server(): Promise<ServerOfferDto> {
    return this.offer.current();
  }

  @Get('session')
  @RequireAuthenticated()
  @AllowedBeforePasswordChange()
  @Describe(
    'Get the data of a page after sign-in',
    'The caller, its permissions on the server and in its tenant, and the features of the server.',
  )
  @Answers(200, 'The data.', CallerSessionDto, { 403: 'The caller is a service account.' })
  session(@Context() context: RequestContext, @Req() request: Request): Promise<CallerSessionDto> {
    return this.caller.session(context, request);
  }

  @Post('device-permissions')
  @HttpCode(200)
  @RequireAuthenticated()
  @Describe(
    "Get the caller's permissions on devices",
    'For up to 100 devices. Use the answer only to show or hide actions: the service checks each call again.',
  )
  @Answers(200, 'The permissions on each device.', DevicePermissionsResponseDto)
  async devicePermissions(
    @Context() context: RequestContext,
    @Body() { deviceIds }: DevicePermissionsRequestDto,
  ): Promise<DevicePermissionsResponseDto> {
    return { items: await this.permissions.onDevices(context, deviceIds) };
  }
}
