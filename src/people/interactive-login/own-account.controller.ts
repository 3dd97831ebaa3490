import { Body, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { LIMITED, AddressRateLimit } from '../../access/authentication/visitors/address-rate-limit.js';
import { AllowAnonymous, AllowedBeforePasswordChange, RequireAuthenticated } from '../../access/authorization/guard/access.js';
import { AS_TEXT, FailsAs } from '../../platform/http/problems/failure-forms.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { SignIn } from '../sign-in/sign-in.js';
import {
  ChangeOwnPasswordRequestDto,
  ChangePasswordWithCredentialsRequestDto,
  CompletePasswordResetRequestDto,
  OwnUserDto,
} from './interactive-login.dto.js';
import { OwnAccount } from './own-account.js';

@Group('Auth')
@Controller('api/auth')
export class OwnAccountController {
  constructor(
    private readonly account: OwnAccount,
    private readonly signIn: SignIn,
  ) {}

  @Post('change-password')
  @HttpCode(200)
  @RequireAuthenticated()
  @AllowedBeforePasswordChange()
  @FailsAs({ 400: AS_TEXT })
  @Describe('Change the password of the calling user', 'Ends the other sessions of the user. A wrong password counts as a failed sign-in.')
  @Answers(200, 'The password is changed.', null, {
    400: 'The caller has no user record, the current password is wrong, or the new one breaks the rules.',
    409: 'Another request changed the password at the same time.',
  })
  changePassword(
    @Context() context: RequestContext,
    @Req() request: Request,
    @Body() { currentPassword, newPassword }: ChangeOwnPasswordRequestDto,
  ): Promise<void> {
    return this.account.changePassword(context, currentPassword, newPassword, this.signIn.originOf(request));
  }

  @Post('change-password-with-credentials')
  @HttpCode(200)
  @AllowAnonymous()
  @UseGuards(AddressRateLimit)
  @FailsAs({ 400: AS_TEXT })
  @Describe(
    'Change a password with the current one',
    'Without a sign-in, for users who must set a new password. Ends all sessions of the user. Failures count like those of a sign-in.',
  )
  @Answers(200, 'The password is changed.', null, {
    400: 'A field is blank, the code is missing or wrong, or the new password breaks the rules.',
    401: 'The address is unknown, the password is wrong, or too many attempts failed.',
    409: 'Another request changed the password at the same time.',
    429: LIMITED,
  })
  changePasswordWithCredentials(@Req() request: Request, @Body() body: ChangePasswordWithCredentialsRequestDto): Promise<void> {
    return this.account.changePasswordWithCredentials(this.signIn.contextOf(request), body, this.signIn.originOf(request));
  }

  @Post('complete-password-reset')
  @HttpCode(200)
  @AllowAnonymous()
  @UseGuards(AddressRateLimit)
  @FailsAs({ 400: AS_TEXT })
  @Describe('Set a new password with a code from a mail', 'Ends all sessions of the user, and a lock-out.')
  @Answers(200, 'The password is set, or no account has the address.', null, {
    400: 'The code does not work, or the new password breaks the rules.',
    429: LIMITED,
  })
  completePasswordReset(@Req() request: Request, @Body() body: CompletePasswordResetRequestDto): Promise<void> {
    return this.account.completePasswordReset(this.signIn.contextOf(request), body, this.signIn.originOf(request));
  }

  @Post('logout')
  @HttpCode(204)
  @RequireAuthenticated()
  @AllowedBeforePasswordChange()
  @Describe(
    'Sign out',
    'Ends the session of the browser or of the bearer token, with its hub connections, and clears the cookie. Other tokens and keys stay valid.',
  )
  @Answers(204, 'The session has ended.', null)
  logout(@Context() context: RequestContext, @Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.signIn.signOut(context, request, response);
  }

  @Get('me')
  @RequireAuthenticated()
  @AllowedBeforePasswordChange()
  @Describe('Read the calling user', 'The user without its permissions, which other routes return.')
  @Answers(200, 'The user.', OwnUserDto, { 404: 'The caller has no user record.' })
  me(@Context() context: RequestContext): Promise<OwnUserDto> {
    return this.account.me(context);
  }
}
