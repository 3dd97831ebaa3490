import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { AllowAnonymous, RequireSignedIn } from '../../access/authorization/guard/access.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { SignInResponseDto, StepUpResponseDto } from '../sign-in/sign-in.dto.js';
import { PasskeySignIn } from './passkey-sign-in.js';
import { PasskeyStepUp } from './passkey-step-up.js';
import { PasskeyAnswerDto, PasskeyRequestOptionsDto } from './webauthn.dto.js';

const OPTIONS = 'The options with which the browser answers with a passkey.';
const REFUSED =
  'The passkey was not accepted, its challenge has expired or was already used, or too many attempts failed; then `Retry-After` contains the time to wait.';
const NO_DOMAIN = { 409: 'The service has no domain name.' };
const HOW_TO_ANSWER =
  'Pass the answer to `PublicKeyCredential.parseRequestOptionsFromJSON()`, and its result to `navigator.credentials.get()`. Send the resulting credential to';

@Group('Passkeys')
@Controller('account')
export class PasskeyProofsController {
  constructor(
    private readonly signIn: PasskeySignIn,
    private readonly stepUp: PasskeyStepUp,
  ) {}

  @Post('passkeys/sign-in-options')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe(
    'Begin to sign in with a passkey',
    `Needs no user name: the authenticator knows it. ${HOW_TO_ANSWER} \`POST /account/passkeys/sign-in\`.`,
  )
  @Answers(200, OPTIONS, PasskeyRequestOptionsDto, NO_DOMAIN, { 'Set-Cookie': 'Lets only this browser answer.' })
  signInOptions(@Req() request: Request, @Res({ passthrough: true }) response: Response): PasskeyRequestOptionsDto {
    return this.signIn.options(request, response);
  }

  @Post('passkeys/sign-in')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe(
    'Sign in with a passkey',
    "Creates a session for the browser and sets its cookie, without a second factor. The browser's previous session ends. With `PersistPasskeyLogin`, the cookie stays when the browser closes.",
  )
  @Answers(200, 'The outcome of the sign-in.', SignInResponseDto, { 401: REFUSED, 403: 'The user is suspended.', ...NO_DOMAIN })
  withPasskey(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() answer: PasskeyAnswerDto,
  ): Promise<SignInResponseDto> {
    return this.signIn.complete(request, response, answer);
  }

  @Post('step-up/passkey-options')
  @HttpCode(200)
  @RequireSignedIn()
  @Describe(
    'Begin to confirm your identity with a passkey',
    `Offers your own passkeys. ${HOW_TO_ANSWER} \`POST /account/step-up/passkey\`.`,
  )
  @Answers(200, OPTIONS, PasskeyRequestOptionsDto, NO_DOMAIN)
  stepUpOptions(@Context() context: RequestContext): Promise<PasskeyRequestOptionsDto> {
    return this.stepUp.options(context);
  }

  @Post('step-up/passkey')
  @HttpCode(200)
  @RequireSignedIn()
  @Describe('Confirm your identity with a passkey', 'Has the effect of `POST /account/step-up`. Failures count like those of a sign-in.')
  @Answers(200, 'The proof was accepted.', StepUpResponseDto, { 401: REFUSED, ...NO_DOMAIN })
  async prove(@Context() context: RequestContext, @Req() request: Request, @Body() answer: PasskeyAnswerDto): Promise<StepUpResponseDto> {
    return { provenUntil: await this.stepUp.prove(context, request, answer) };
  }
}
