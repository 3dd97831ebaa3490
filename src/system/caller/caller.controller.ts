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
  @Describe('Get what a page starts with before anybody signs in', 'How people can sign in and register, and the name of the service.')
  @Answers(200, 'All of it.', ServerOfferDto)
  server(): Promise<ServerOfferDto> {
    return this.offer.current();
  }

  @Get('session')
  @RequireAuthenticated()
  @AllowedBeforePasswordChange()
  @Describe('Get what a page starts with', 'Who the caller is, what it may do on the server and in its tenant, and what the server offers.')
  @Answers(200, 'All of it.', CallerSessionDto, { 403: 'The caller is a service account.' })
  session(@Context() context: RequestContext, @Req() request: Request): Promise<CallerSessionDto> {
    return this.caller.session(context, request);
  }

  @Post('device-permissions')
  @HttpCode(200)
  @RequireAuthenticated()
  @Describe('Ask what the caller may do with devices', 'For up to 100 devices. Every call is checked again: this only says what to offer.')
  @Answers(200, 'The permissions on each device.', DevicePermissionsResponseDto)
  async devicePermissions(
    @Context() context: RequestContext,
    @Body() { deviceIds }: DevicePermissionsRequestDto,
  ): Promise<DevicePermissionsResponseDto> {
    return { items: await this.permissions.onDevices(context, deviceIds) };
  }
}
