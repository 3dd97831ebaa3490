import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import {
  AllowAnonymous,
  AllowedBeforePasswordChange,
  RequireRecentSignInOfPrograms,
  RequireSignedIn,
} from '../../access/authorization/guard/access.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { MailAvailability } from '../mail/mail-availability.js';
import { SignIn } from '../sign-in/sign-in.js';
import { PasswordResets } from './password-resets.js';
import { Passwords } from './passwords.js';
import { ChangePasswordRequestDto, EmailRequestDto, ResetPasswordRequestDto } from './registration.dto.js';

@Group('Passwords')
@Controller('account/password')
export class PasswordsController {
  constructor(
    private readonly passwords: Passwords,
    private readonly resets: PasswordResets,
    private readonly mail: MailAvailability,
    private readonly signIn: SignIn,
  ) {}

  @Post()
  @HttpCode(204)
  @RequireSignedIn()
  @RequireRecentSignInOfPrograms()
  @AllowedBeforePasswordChange()
  @Describe('Change your password', 'Ends all other sessions of the user. A wrong current password counts as a failed sign-in.')
  @Answers(204, 'The password is changed.', null, { 409: 'Another request changed the password at the same time.' })
  change(
    @Context() context: RequestContext,
    @Req() request: Request,
    @Body() { currentPassword, newPassword }: ChangePasswordRequestDto,
  ): Promise<void> {
    return this.passwords.change(context, currentPassword, newPassword, this.signIn.originOf(request));
  }

  @Post('forgot')
  @HttpCode(204)
  @AllowAnonymous()
  @Describe(
    'Request a link to choose a new password',
    'The answer does not reveal if there is an account. The service sends at most one mail a minute.',
  )
  @Answers(204, 'The mail is sent if there is an account with this address.', null, { 409: 'The server sends no mail.' })
  forgot(@Req() request: Request, @Body() { email }: EmailRequestDto): void {
    this.mail.require();
    this.resets.request(this.signIn.contextOf(request), email, this.signIn.originOf(request));
  }

  @Post('reset')
  @HttpCode(204)
  @AllowAnonymous()
  @Describe(
    'Choose a new password with a mailed link',
    'Ends all sessions of the user, and a lock-out. The user then signs in with the password.',
  )
  @Answers(204, 'The password is set.', null)
  reset(@Req() request: Request, @Body() { code, newPassword }: ResetPasswordRequestDto): Promise<void> {
    return this.resets.complete(this.signIn.contextOf(request), { code, newPassword, email: null }, this.signIn.originOf(request));
  }
}
