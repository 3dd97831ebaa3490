import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { userIdOf, type Principal } from '../../access/authentication/principals/principal.js';
import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { browserSessionIdOf } from '../../access/authentication/sessions/sessions.js';
import { RequireRecentProof, RequireSignedIn } from '../../access/authorization/guard/access.js';
import { DomainError, ErrorCode, forbidden } from '../../platform/common/errors/errors.js';
import { GuidParam, TextParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { SignIn } from '../sign-in/sign-in.js';
import { SignInFlowPurpose } from './external-login.entity.js';
import { ExternalLogins, MAXIMUM_LOGINS } from './external-logins.js';
import { ExternalSignInError } from './external-provider.js';
import { ExternalProviders } from './external-providers.js';
import {
  ConnectLoginRequestDto,
  ConnectLoginResponseDto,
  ExternalLoginsResponseDto,
  ExternalStepUpRequestDto,
  ExternalStepUpResponseDto,
} from './external-sign-in.dto.js';
import { ExternalSignIn } from './external-sign-in.js';
import { requireLocalPath } from './return-path.js';
import type { NewSignInFlow } from './sign-in-flows.js';

const NAME = 'Name of the provider.';
const EXAMPLE_NAME = 'corporate';
const GOES =
  'Open the address in the answer in the browser. After the sign-in there, the browser is redirected to `returnPath`, with the same errors as for a sign-in.';
const REFUSALS = {
  403: 'The caller is not a browser session.',
  404: 'No provider has this name.',
  502: 'The provider does not respond.',
};

/** The logins at other providers that a user has connected. */
@Group('ExternalSignIn')
@Controller('account/external')
export class ExternalLoginsController {
  constructor(
    private readonly logins: ExternalLogins,
    private readonly providers: ExternalProviders,
    private readonly external: ExternalSignIn,
    private readonly signIn: SignIn,
  ) {}

  @Get('logins')
  @RequireSignedIn()
  @Describe('List your connected logins', `The logins at other providers with which you can sign in, at most ${MAXIMUM_LOGINS}.`)
  @Answers(200, 'The logins.', ExternalLoginsResponseDto)
  async list(@Context() { manager, principal }: RequestContext): Promise<ExternalLoginsResponseDto> {
    const names = new Map(this.providers.names.map(({ name, displayName }) => [name, displayName]));
    const logins = await this.logins.list(manager, userIdOf(principal));
    return {
      items: logins.map(({ id, provider, displayName, email, createdAt, lastUsedAt }) => {
        return { id, provider, providerDisplayName: names.get(provider) ?? provider, displayName, email, createdAt, lastUsedAt };
      }),
    };
  }

  @Post(':provider/link')
  @HttpCode(200)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe('Begin to connect a login', GOES)
  @Answers(200, 'The address for the browser.', ConnectLoginResponseDto, REFUSALS)
  connect(
    @Context() { principal }: RequestContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @TextParam('provider', NAME, EXAMPLE_NAME) provider: string,
    @Body() { returnPath }: ConnectLoginRequestDto,
  ): Promise<ConnectLoginResponseDto> {
    const sessionId = requireSession(principal);
    return this.begin(request, response, { provider, returnPath, purpose: SignInFlowPurpose.Connect, sessionId });
  }

  @Post(':provider/step-up')
  @HttpCode(200)
  @RequireSignedIn()
  @Describe('Begin to confirm your identity at a provider', `With a login that is connected to your account. ${GOES}`)
  @Answers(200, 'The address for the browser.', ExternalStepUpResponseDto, REFUSALS)
  proveAgain(
    @Context() { principal }: RequestContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @TextParam('provider', NAME, EXAMPLE_NAME) provider: string,
    @Body() { returnPath }: ExternalStepUpRequestDto,
  ): Promise<ExternalStepUpResponseDto> {
    const sessionId = requireSession(principal);
    return this.begin(request, response, { provider, returnPath, purpose: SignInFlowPurpose.StepUp, sessionId });
  }

  @Delete('logins/:id')
  @HttpCode(204)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe('Disconnect a login', 'The login can no longer sign in. Other sessions of the user end.')
  @Answers(204, 'The login is disconnected.', null, {
    404: 'You have no such login.',
    409: 'It is your only way to sign in.',
  })
  remove(@Context() context: RequestContext, @Req() request: Request, @GuidParam('id', 'Id of the login.') id: string): Promise<void> {
    return this.logins.remove(context, id, this.signIn.originOf(request));
  }

  private async begin(
    request: Request,
    response: Response,
    flow: Omit<NewSignInFlow, 'isPersistent'>,
  ): Promise<{ readonly address: string }> {
    const returnPath = requireLocalPath(flow.returnPath);
    try {
      return { address: await this.external.begin(request, response, { ...flow, returnPath, isPersistent: false }) };
    } catch (error) {
      if (!(error instanceof ExternalSignInError)) throw error;
      throw new DomainError(ErrorCode.BadGateway, 'The provider does not answer. Try again later.');
    }
  }
}

function requireSession(principal: Principal): string {
  const sessionId = browserSessionIdOf(principal);
  if (sessionId === null) throw forbidden('This is done in a browser: sign in there.');
  return sessionId;
}
