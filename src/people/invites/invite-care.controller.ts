import { Body, Controller, HttpCode, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { PublicUrl } from '../../platform/http/addresses/public-url.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { InviteExpiryRequestDto, ResendInviteRequestDto, ResentInviteDto } from './invite-care.dto.js';
import { InviteCare } from './invite-care.js';

const INVITE_ID = 'Id of the invite.';
const UNKNOWN = 'The tenant has no such invite.';

@Group('Invites')
@Controller('account/invites')
@TenantInQuery()
export class InviteCareController {
  constructor(
    private readonly care: InviteCare,
    private readonly publicUrl: PublicUrl,
  ) {}

  @Post(':inviteId/resend')
  @HttpCode(200)
  @RequireAccess(Permission.TenantUsersWrite)
  @Describe(
    'Send an invite again',
    'Creates and mails a new link, which replaces the previous one. The caller must hold everything that the invited user holds, because the link sets the password of the account.',
  )
  @Answers(200, 'The new link.', ResentInviteDto, { 404: UNKNOWN })
  resend(
    @Context() context: TenantContext,
    @Req() request: Request,
    @GuidParam('inviteId', INVITE_ID) inviteId: string,
    @Body() { lifetimeDays }: ResendInviteRequestDto,
  ): Promise<ResentInviteDto> {
    return this.care.resend(context, inviteId, this.publicUrl.ofCaller(request), lifetimeDays);
  }

  @Put(':inviteId/expiry')
  @HttpCode(204)
  @RequireAccess(Permission.TenantUsersWrite)
  @Describe(
    'Change the expiry of an invite',
    'The link stays the same, and an expired one works again. For a later time, the caller must hold everything that the invited user holds, because the link sets the password of the account.',
  )
  @Answers(204, 'The expiry is changed.', null, { 404: UNKNOWN })
  setExpiry(
    @Context() context: TenantContext,
    @GuidParam('inviteId', INVITE_ID) inviteId: string,
    @Body() { expiresAt }: InviteExpiryRequestDto,
  ): Promise<void> {
    return this.care.setExpiry(context, inviteId, expiresAt);
  }
}
