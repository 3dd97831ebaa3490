import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { SignInMethod } from '../authentication/sessions/session.entity.js';
import { AllowAnonymous } from '../authorization/access.js';
import { TextParam } from '../http/binding/route-parameters.js';
import { InvitesService } from '../invites/invites.service.js';
import { Answers, Describe } from '../openapi/operation.js';
import { SignIn } from '../sign-in/sign-in.js';
import { Invitations } from './invitations.js';
import { AcceptInvitationRequestDto, AcceptInvitationResponseDto, InvitationResponseDto } from './registration.dto.js';

@ApiTags('Invites')
@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly invites: InvitesService,
    private readonly signIn: SignIn,
  ) {}

  @Get('account/invites/:code')
  @AllowAnonymous()
  @Describe('Read an invite', 'What the page of an invitation shows before the person accepts.')
  @Answers(200, 'Who invites to what.', InvitationResponseDto, { 404: 'The code does not work, or does not work any more.' })
  look(
    @Req() request: Request,
    @TextParam('code', 'The code at the end of the link.', '6F1C…') code: string,
  ): Promise<InvitationResponseDto> {
    return this.invites.look(this.signIn.contextOf(request), code);
  }

  @Post('api/invites/accept')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe('Accept an invite', 'Sets the password of the account that was created for the invited person, and signs the browser in.')
  @Answers(200, 'Whether the invite was accepted.', AcceptInvitationResponseDto)
  async accept(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { activationCode, email, password }: AcceptInvitationRequestDto,
  ): Promise<AcceptInvitationResponseDto> {
    const [context, origin] = [this.signIn.contextOf(request), this.signIn.originOf(request)];
    const acceptance = await this.invitations.accept(context, { code: activationCode, email }, password, origin);
    if ('problem' in acceptance) return { isSuccessful: false, errorMessage: acceptance.problem };
    await this.signIn.complete(request, response, { userId: acceptance.userId, method: SignInMethod.Invite, isPersistent: false });
    return { isSuccessful: true, errorMessage: null };
  }
}
