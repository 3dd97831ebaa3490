import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { userIdOf } from '../../access/authentication/principals/principal.js';
import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { SignInMethod } from '../../access/authentication/sessions/session.entity.js';
import {
  AllowAnonymous,
  AllowedBeforePasswordChange,
  RequireAuthenticated,
  RequireSignedIn,
} from '../../access/authorization/guard/access.js';
import { invalidField } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { IdentityCheck } from './identity-check.js';
import { refusedIdentity, suspended } from './refused-identity.js';
import { SignInOutcome, SignInRequestDto, SignInResponseDto, StepUpRequestDto, StepUpResponseDto } from './sign-in.dto.js';
import { SignIn } from './sign-in.js';
import { StepUp } from './step-up.js';

const WRONG = 'The e-mail address or the password is wrong, or too many attempts failed; then `Retry-After` contains the time to wait.';

@Group('SignIn')
@Controller('account')
export class SignInController {
  constructor(
    private readonly check: IdentityCheck,
    private readonly signIn: SignIn,
    private readonly stepUp: StepUp,
    private readonly clock: Clock,
  ) {}

  @Post('sign-in')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe(
    'Sign in with a password',
    "Creates a session for the browser and sets its cookie. The browser's previous session ends. Unknown names get the same answer as wrong passwords.",
  )
  @Answers(200, 'The outcome of the sign-in.', SignInResponseDto, { 401: WRONG, 403: 'The user is suspended.' })
  async withPassword(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { userName, isPersistent, ...proof }: SignInRequestDto,
  ): Promise<SignInResponseDto> {
    const outcome = await this.check.ofName(userName, proof, this.signIn.originOf(request));
    switch (outcome.kind) {
      case 'Accepted': {
        const { id, securityStamp: provenStamp, requirePasswordChange } = outcome.account;
        await this.signIn.complete(request, response, { userId: id, provenStamp, method: SignInMethod.Password, isPersistent });
        return { outcome: SignInOutcome.SignedIn, mustChangePassword: requirePasswordChange };
      }
      case 'TwoFactorRequired':
        return { outcome: SignInOutcome.TwoFactorRequired, mustChangePassword: false };
      case 'EmailNotConfirmed':
        return { outcome: SignInOutcome.EmailConfirmationRequired, mustChangePassword: false };
      case 'Suspended':
        throw suspended();
      case 'Refused':
      case 'LockedOut':
        throw refusedIdentity(outcome, this.clock.milliseconds());
    }
  }

  @Post('sign-out')
  @HttpCode(204)
  @RequireAuthenticated()
  @AllowedBeforePasswordChange()
  @Describe(
    'Sign out',
    'Ends the session of the browser or of the bearer token, with its hub connections, and clears the cookie. Other tokens and keys stay valid.',
  )
  @Answers(204, 'The session has ended.', null)
  signOut(@Context() context: RequestContext, @Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.signIn.signOut(context, request, response);
  }

  @Post('step-up')
  @HttpCode(200)
  @RequireSignedIn()
  @Describe(
    'Confirm your identity again',
    "Routes that create or change credentials require this when the session's last proof is too old. Failures count like those of a sign-in.",
  )
  @Answers(200, 'The proof was accepted.', StepUpResponseDto, { 401: WRONG })
  async prove(@Context() context: RequestContext, @Req() request: Request, @Body() proof: StepUpRequestDto): Promise<StepUpResponseDto> {
    const { password, twoFactorCode } = proof;
    if (password === null && twoFactorCode === null)
      throw invalidField('password', 'Send the password, or a code of the authenticator app.');
    const offered = password === null ? { twoFactorCode } : { password };
    return { provenUntil: await this.stepUp.prove(context, userIdOf(context.principal), offered, this.signIn.originOf(request)) };
  }
}
