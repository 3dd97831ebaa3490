import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { HoldsSecrets } from '../http/compression.js';
import { streamJson } from '../http/json-stream.js';
import { PublicUrl } from '../http/public-url.js';
import { Answers } from '../openapi/operation.js';
import { CreateInviteRequestDto, InviteResponseDto, InvitesResponseDto } from './invite.dto.js';
import { InvitesService } from './invites.service.js';

@ApiTags('Invites')
@Controller('api/v1/invites')
@TenantInQuery()
export class InvitesController {
  constructor(
    private readonly invites: InvitesService,
    private readonly publicUrl: PublicUrl,
  ) {}

  @Post()
  @RequireAccess(Permission.TenantUsersWrite)
  @Answers(201, '', InviteResponseDto, { 409: '' })
  create(@Context() context: TenantContext, @Req() request: Request, @Body() body: CreateInviteRequestDto): Promise<InviteResponseDto> {
    return this.invites.create(context, body.inviteeEmail, this.publicUrl.of(request));
  }

  @Get()
  @RequireAccess(Permission.TenantUsersRead)
  @HoldsSecrets()
  @Answers(200, '', InvitesResponseDto)
  list(@Context() context: TenantContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.invites.list(context, this.publicUrl.of(request)) });
  }

  @Delete(':inviteId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantUsersWrite)
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: TenantContext, @GuidParam('inviteId', '') inviteId: string): Promise<void> {
    return this.invites.remove(context, inviteId);
  }
}
