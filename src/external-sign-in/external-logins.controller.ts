import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { userIdOf } from '../authentication/principal.js';
import { Context, type RequestContext } from '../authentication/request-context.js';
import { sessionIdOf } from '../authentication/sessions/sessions.js';
import { RequireRecentProof, RequireSignedIn } from '../authorization/access.js';
import { DomainError, ErrorCode, forbidden } from '../common/errors.js';
import { GuidParam, TextParam } from '../http/binding/route-parameters.js';
import { Answers, Describe } from '../openapi/operation.js';
import { SignIn } from '../sign-in/sign-in.js';
import { ExternalLogins, MAXIMUM_LOGINS } from './external-logins.js';
import { ExternalSignInError } from './external-provider.js';
import { ExternalProviders } from './external-providers.js';
import { ExternalSignIn } from './external-sign-in.js';
import { ConnectLoginRequestDto, ConnectLoginResponseDto, ExternalLoginsResponseDto } from './external-sign-in.dto.js';
import { requireLocalPath } from './return-path.js';

/** The logins at other providers that a user has connected. */
@ApiTags('ExternalSignIn')
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
  @Describe('List your connected logins', `The logins at other providers with which you can sign in, ${MAXIMUM_LOGINS} at most.`)
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
  @Describe(
    'Begin to connect a login',
    'The browser goes to the address in the answer, signs in there, and is led back to `returnPath`, with errors as those of a sign-in.',
  )
  @Answers(200, 'Where the browser goes.', ConnectLoginResponseDto, {
    403: 'The caller is no browser session.',
    404: 'No provider has this name.',
    502: 'The provider does not answer.',
  })
  async connect(
    @Context() { principal }: RequestContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @TextParam('provider', 'Name of the provider.', 'corporate') provider: string,
    @Body() { returnPath }: ConnectLoginRequestDto,
  ): Promise<ConnectLoginResponseDto> {
    const path = requireLocalPath(returnPath);
    const sessionId = sessionIdOf(principal);
    if (sessionId === null) throw forbidden('Logins are connected in a browser: sign in there.');
    try {
      return { address: await this.external.begin(request, response, { provider, returnPath: path, isPersistent: false, sessionId }) };
    } catch (error) {
      if (!(error instanceof ExternalSignInError)) throw error;
      throw new DomainError(ErrorCode.BadGateway, 'The provider does not answer. Try again later.');
    }
  }

  @Delete('logins/:id')
  @HttpCode(204)
  @RequireSignedIn()
  @RequireRecentProof()
  @Describe('Disconnect a login', 'It signs nobody in from then on. Other sessions of the user end.')
  @Answers(204, 'The login is disconnected.', null, {
    404: 'You have no such login.',
    409: 'It is the only way in which you can sign in.',
  })
  remove(@Context() context: RequestContext, @Req() request: Request, @GuidParam('id', 'Id of the login.') id: string): Promise<void> {
    return this.logins.remove(context, id, this.signIn.originOf(request));
  }
}
