import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import type { BearerTokens } from '../../access/authentication/sessions/bearer-sessions.js';
import { SignInMethod } from '../../access/authentication/sessions/session.entity.js';
import { AllowAnonymous, RequireAuthenticated, RequireRecentProof } from '../../access/authorization/guard/access.js';
import { notFound, unauthorized } from '../../platform/common/errors/errors.js';
import { Answers, Describe, Group, plainText } from '../../system/openapi/operation.js';
import { EmailAddresses } from '../registration/email-addresses.js';
import { PasswordResets } from '../registration/password-resets.js';
import { Registration } from '../registration/registration.js';
import type { CheckOutcome } from '../sign-in/identity-check.js';
import { SignIn } from '../sign-in/sign-in.js';
import { asUnauthorized, atFieldUnlessNamed } from './failure-answers.js';
import { Identity } from './identity.js';
import {
  AccessTokenDto,
  IdentityConfirmEmailQueryDto,
  IdentityEmailRequestDto,
  IdentityInfoDto,
  IdentityInfoRequestDto,
  IdentityRegisterRequestDto,
  IdentityResetPasswordRequestDto,
  IdentityTwoFactorRequestDto,
  IdentityTwoFactorResponseDto,
  LoginQueryDto,
  LoginRequestDto,
  RefreshRequestDto,
} from './interactive-login.dto.js';
import { InteractiveLogin } from './interactive-login.js';

/** The words that clients of such APIs read from `detail`, by the reason of a refused sign-in. */
const REFUSALS: Readonly<Record<Exclude<CheckOutcome['kind'], 'Accepted'>, string>> = {
  Refused: 'Failed',
  LockedOut: 'LockedOut',
  TwoFactorRequired: 'RequiresTwoFactor',
  EmailNotConfirmed: 'NotAllowed',
  Suspended: 'NotAllowed',
};

const NO_USER = { 404: 'The caller has no user record.' };

/** The identity routes, which clients of ASP.NET Core Identity know. They exist only with EnableInteractiveBearerLogin. */
@Group('Auth')
@Controller('api/auth')
export class IdentityController {
  constructor(
    private readonly login: InteractiveLogin,
    private readonly signIn: SignIn,
    private readonly registration: Registration,
    private readonly addresses: EmailAddresses,
    private readonly resets: PasswordResets,
    private readonly identity: Identity,
  ) {}

  @Post('register')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe('Register an account', 'Creates an account in a tenant of its own, without signing in.')
  @Answers(200, 'The account was created, or the owner of an existing account with this address was informed.', null, {
    404: 'Registration is closed.',
  })
  async register(@Req() request: Request, @Body() { email, password }: IdentityRegisterRequestDto): Promise<void> {
    const context = this.signIn.contextOf(request);
    if (!(await this.registration.offer(context.manager)).isOpen) throw notFound('An open registration');
    await this.registration.register(context, email, password, this.signIn.originOf(request));
  }

  @Post('login')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe(
    'Sign in for bearer tokens or for a cookie',
    'The `detail` of a refusal is its reason: `Failed`, `LockedOut`, `RequiresTwoFactor`, or `NotAllowed` if the address must be confirmed first or the user is suspended.',
  )
  @Answers(200, 'The tokens; an empty body if the request asked for a cookie.', AccessTokenDto, { 401: 'Failed. The sign-in was refused.' })
  async signInWithPassword(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Query() { useCookies, useSessionCookies }: LoginQueryDto,
    @Body() body: LoginRequestDto,
  ): Promise<AccessTokenDto | undefined> {
    const outcome = await this.login.prove(request, body);
    if (outcome.kind !== 'Accepted') throw unauthorized(REFUSALS[outcome.kind]);
    if (!useCookies && !useSessionCookies) return answerOf(await this.login.open(request, outcome.account));
    const isPersistent = useCookies && !useSessionCookies;
    const { id: userId, securityStamp: provenStamp } = outcome.account;
    await this.signIn.complete(request, response, { userId, provenStamp, method: SignInMethod.Password, isPersistent });
    return undefined;
  }

  @Post('refresh')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe(
    'Get new tokens',
    'A refresh token works once, and again within 30 seconds, for programs that did not get the answer or refresh twice at a time. A later use ends the session, because the token may have been stolen.',
  )
  @Answers(200, 'New tokens. The previous access token works until it expires.', AccessTokenDto, { 401: 'The token does not work.' })
  async refresh(@Req() request: Request, @Body() { refreshToken }: RefreshRequestDto): Promise<AccessTokenDto> {
    const tokens = await this.login.refresh(request, refreshToken);
    if (tokens === null) throw unauthorized('The refresh token is not valid.');
    return answerOf(tokens);
  }

  @Get('confirmEmail')
  @AllowAnonymous()
  @Describe('Confirm an e-mail address', 'For the address of a new account, and for a change of the address, which takes effect now.')
  @Answers(200, 'The address is confirmed.', plainText('Thank you for confirming your email.'), { 401: 'The code does not work.' })
  async confirmEmail(@Req() request: Request, @Res() response: Response, @Query() { code }: IdentityConfirmEmailQueryDto): Promise<void> {
    const visitor = await this.signIn.formerOf(request);
    const confirming = this.addresses.confirm(this.signIn.contextOf(request), code, visitor, this.signIn.originOf(request));
    await asUnauthorized(confirming);
    response.type('text/plain').send('Thank you for confirming your email.');
  }

  @Post('resendConfirmationEmail')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe(
    'Request the confirmation mail again',
    'The answer does not reveal if an account waits for the mail. The service sends at most one mail a minute.',
  )
  @Answers(200, 'The mail is sent if an account with this address waits for it.', null)
  resendConfirmationEmail(@Req() request: Request, @Body() { email }: IdentityEmailRequestDto): void {
    this.addresses.askAgain(this.signIn.contextOf(request), email);
  }

  @Post('forgotPassword')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe(
    'Request a code to set a new password',
    'The answer does not reveal if there is an account. The service sends at most one mail a minute.',
  )
  @Answers(200, 'The mail is sent if there is an account with this address.', null)
  forgotPassword(@Req() request: Request, @Body() { email }: IdentityEmailRequestDto): void {
    this.resets.request(this.signIn.contextOf(request), email, this.signIn.originOf(request));
  }

  @Post('resetPassword')
  @HttpCode(200)
  @AllowAnonymous()
  @Describe('Set a new password with a mailed code', 'Ends all sessions of the user, and a lock-out.')
  @Answers(200, 'The password is set.', null)
  async resetPassword(@Req() request: Request, @Body() { email, resetCode, newPassword }: IdentityResetPasswordRequestDto): Promise<void> {
    const reset = { email, code: resetCode, newPassword };
    await atFieldUnlessNamed('resetCode', this.resets.complete(this.signIn.contextOf(request), reset, this.signIn.originOf(request)));
  }

  @Post('manage/2fa')
  @HttpCode(200)
  @RequireAuthenticated()
  @RequireRecentProof()
  @Describe(
    'Read and change two-factor sign-in',
    'A body without members only reads the state. While two-factor sign-in is off, the answer has a key for an app, which stays the same until a call resets it. Changes end the other sessions of the user.',
  )
  @Answers(200, 'The current state.', IdentityTwoFactorResponseDto, { ...NO_USER, 403: 'The caller is a token or a key.' })
  changeTwoFactor(
    @Context() context: RequestContext,
    @Req() request: Request,
    @Body() body: IdentityTwoFactorRequestDto,
  ): Promise<IdentityTwoFactorResponseDto> {
    return this.identity.changeTwoFactor(context, body, this.signIn.originOf(request));
  }

  @Get('manage/info')
  @RequireAuthenticated()
  @Describe('Read the e-mail address of the calling user', 'The address, and if it is confirmed.')
  @Answers(200, 'The address.', IdentityInfoDto, NO_USER)
  info(@Context() context: RequestContext): Promise<IdentityInfoDto> {
    return this.identity.info(context);
  }

  @Post('manage/info')
  @HttpCode(200)
  @RequireAuthenticated()
  @RequireRecentProof()
  @Describe(
    'Change the e-mail address or the password of the calling user',
    'A new address takes effect when the link in the mail is opened.',
  )
  @Answers(200, 'The current address.', IdentityInfoDto, {
    ...NO_USER,
    403: 'The caller is a token or a key.',
    409: 'Another request changed the password at the same time.',
    429: 'A mail was sent within the last minute.',
  })
  change(@Context() context: RequestContext, @Req() request: Request, @Body() body: IdentityInfoRequestDto): Promise<IdentityInfoDto> {
    return this.identity.change(context, body, this.signIn.originOf(request));
  }
}

function answerOf(tokens: BearerTokens): AccessTokenDto {
  return { tokenType: 'Bearer', ...tokens };
}
