import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { SignInMethod } from '../../access/authentication/sessions/session.entity.js';
import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { TextParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { InvitesService } from '../invites/invites.service.js';
import { MailAvailability } from '../mail/mail-availability.js';
import { SignIn } from '../sign-in/sign-in.js';
import { EmailAddresses } from './email-addresses.js';
import {
  ConfirmEmailRequestDto,
  ConfirmEmailResponseDto,
  EmailRequestDto,
  InvitationResponseDto,
  RegisterRequestDto,
  RegisterResponseDto,
  RegistrationOfferDto,
  RegistrationOutcome,
} from './registration.dto.js';
import { Registration } from './registration.js';

@Group('Registration')
@Controller('account')
export class RegistrationController {
  constructor(
    private readonly registration: Registration,
    private readonly addresses: EmailAddresses,
    private readonly invites: InvitesService,
    private readonly mail: MailAvailability,
    private readonly signIn: SignIn,
  ) {}

  @Get('registration')
  @AllowAnonymous()
  @Describe(
    'Get the state of registration',
    'Registration is open if it is public, or while the server has no user and the first user may register.',
  )
  @Answers(200, 'The state of registration.', RegistrationOfferDto)
  offer(@Req() request: Request): Promise<RegistrationOfferDto> {
    return this.registration.offer(this.signIn.contextOf(request).manager);
  }

  @Post('register')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe(
    'Create an account of your own',
    'Creates an account in a tenant of its own, which it administers. If addresses must be confirmed, only the mail tells if the address already has an account, not the answer.',
  )
  @Answers(200, 'The outcome of the registration.', RegisterResponseDto, {
    401: 'The account was changed at the same time.',
    403: 'Registration is closed.',
  })
  async register(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { email, password }: RegisterRequestDto,
  ): Promise<RegisterResponseDto> {
    const account = await this.registration.register(this.signIn.contextOf(request), email, password, this.signIn.originOf(request));
    if (account === null) return { outcome: RegistrationOutcome.EmailConfirmationRequired };
    const { id: userId, securityStamp: provenStamp } = account;
    await this.signIn.complete(request, response, { userId, provenStamp, method: SignInMethod.Registration, isPersistent: false });
    return { outcome: RegistrationOutcome.SignedIn };
  }

  @Get('invites/:code')
  @AllowAnonymous()
  @Describe('Read an invite', 'The details of an invitation for the page on which the person accepts it.')
  @Answers(200, 'The inviter and the tenant.', InvitationResponseDto, { 404: 'The code is wrong or no longer valid.' })
  look(
    @Req() request: Request,
    @TextParam('code', 'The code at the end of the link.', '6F1C…') code: string,
  ): Promise<InvitationResponseDto> {
    return this.invites.look(this.signIn.contextOf(request), code);
  }

  @Post('email/confirm')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe(
    'Confirm an e-mail address',
    'For the address of a new account, and for a change of the address, which takes effect now. A change ends all sessions of the user except that of this browser.',
  )
  @Answers(200, 'The address is confirmed.', ConfirmEmailResponseDto, { 409: 'Another account now has the new address.' })
  async confirm(@Req() request: Request, @Body() { code }: ConfirmEmailRequestDto): Promise<ConfirmEmailResponseDto> {
    const visitor = await this.signIn.formerOf(request);
    return { email: await this.addresses.confirm(this.signIn.contextOf(request), code, visitor, this.signIn.originOf(request)) };
  }

  @Post('email/resend-confirmation')
  @HttpCode(204)
  @AllowAnonymous()
  @Describe(
    'Request the confirmation mail again',
    'The answer does not reveal if an account waits for the mail. The service sends at most one mail a minute.',
  )
  @Answers(204, 'The mail is sent if an account with this address waits for it.', null, { 409: 'The server sends no mail.' })
  resend(@Req() request: Request, @Body() { email }: EmailRequestDto): void {
    this.mail.require();
    this.addresses.askAgain(this.signIn.contextOf(request), email);
  }
}
