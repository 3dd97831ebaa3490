import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { PublicUrl } from '../../platform/http/addresses/public-url.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { CreateInviteRequestDto, InviteResponseDto, InvitesResponseDto } from './invite.dto.js';
import { InvitesService } from './invites.service.js';

@Group('Invites')
@Controller('api/v1/invites')
@TenantInQuery()
export class InvitesController {
  constructor(
    private readonly invites: InvitesService,
    private readonly publicUrl: PublicUrl,
  ) {}

  @Post()
  @RequireAccess(Permission.TenantUsersWrite)
  @Describe(
    'Invite a person',
    'Creates an account for the address, and returns the link with which the person sets a password. Only this answer contains the link: for another one, withdraw the invite and invite again.',
  )
  @Answers(201, 'The new invite.', InviteResponseDto, { 409: 'An account or invite with this address already exists.' })
  create(@Context() context: TenantContext, @Req() request: Request, @Body() body: CreateInviteRequestDto): Promise<InviteResponseDto> {
    return this.invites.create(context, body.inviteeEmail, this.publicUrl.ofCaller(request));
  }

  @Get()
  @RequireAccess(Permission.TenantUsersRead)
  @Describe('List the invites', 'Invites of the tenant that have not been accepted, without their activation codes.')
  @Answers(200, 'The invites.', InvitesResponseDto)
  list(@Context() context: TenantContext, @Req() request: Request, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.invites.list(context, this.publicUrl.ofCaller(request)) });
  }

  @Delete(':inviteId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantUsersWrite)
  @Describe('Withdraw an invite', 'The link stops working, and the account that was created for it is deleted.')
  @Answers(204, 'The invite is deleted.', null, { 404: 'The tenant has no such invite.' })
  remove(@Context() context: TenantContext, @GuidParam('inviteId', 'Id of the invite.') inviteId: string): Promise<void> {
    return this.invites.remove(context, inviteId);
  }
}
