import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { SignInMethod } from '../../access/authentication/sessions/session.entity.js';
import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { SignIn } from '../sign-in/sign-in.js';
import { Invitations } from './invitations.js';
import { AcceptInvitationRequestDto, AcceptInvitationResponseDto } from './registration.dto.js';

@Group('Invitations')
@Controller('api/invites')
export class InvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly signIn: SignIn,
  ) {}

  @Post('accept')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe('Accept an invite', "Sets the password of the invited person's account, and signs the browser in.")
  @Answers(200, 'The outcome.', AcceptInvitationResponseDto, { 401: 'The account was changed at the same time.' })
  async accept(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { activationCode, email, password }: AcceptInvitationRequestDto,
  ): Promise<AcceptInvitationResponseDto> {
    const [context, origin] = [this.signIn.contextOf(request), this.signIn.originOf(request)];
    const acceptance = await this.invitations.accept(context, { code: activationCode, email }, password, origin);
    if ('problem' in acceptance) return { isSuccessful: false, errorMessage: acceptance.problem };
    await this.signIn.complete(request, response, { ...acceptance, method: SignInMethod.Invite, isPersistent: false });
    return { isSuccessful: true, errorMessage: null };
  }
}
