import { Controller, Get, HttpCode, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { TextParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { SignInFlowPurpose } from './external-login.entity.js';
import { EXTERNAL_SIGN_IN_ERRORS, ExternalSignInError } from './external-provider.js';
import { ExternalProviders } from './external-providers.js';
import { ExternalProvidersResponseDto, StartExternalSignInQueryDto } from './external-sign-in.dto.js';
import { ExternalSignIn } from './external-sign-in.js';
import { pathWithError, requireLocalPath } from './return-path.js';

const UNKNOWN = 'No provider has this name.';
const NAME = 'Name of the provider.';
const EXAMPLE_NAME = 'corporate';
const ERRORS = Object.entries(EXTERNAL_SIGN_IN_ERRORS).map(([code, meaning]) => `- \`${code}\`: ${meaning}`);

/** Signing in with another provider, as a browser does it: by following links. */
@Group('ExternalSignIn')
@Controller('account/external')
export class ExternalSignInController {
  constructor(
    private readonly providers: ExternalProviders,
    private readonly external: ExternalSignIn,
  ) {}

  @Get('providers')
  @AllowAnonymous()
  @Describe('List the providers', 'The providers with which users can sign in.')
  @Answers(200, 'The providers.', ExternalProvidersResponseDto)
  list(): ExternalProvidersResponseDto {
    return { items: [...this.providers.names] };
  }

  @Get(':provider/start')
  @HttpCode(303)
  @AllowAnonymous()
  @Describe(
    'Sign in with a provider',
    `For links: redirects the browser to the provider, and from there back to \`returnPath\` with a session. Without an account, the user gets one if registration is open. If the sign-in fails, the path gets \`externalError\` and \`provider\` in its query:\n\n${ERRORS.join('\n')}`,
  )
  @Answers(303, 'The browser is redirected to the provider.', null, { 404: UNKNOWN }, { Location: 'The address at the provider.' })
  async start(
    @Req() request: Request,
    @Res() response: Response,
    @TextParam('provider', NAME, EXAMPLE_NAME) provider: string,
    @Query() { returnPath, isPersistent }: StartExternalSignInQueryDto,
  ): Promise<void> {
    const path = requireLocalPath(returnPath);
    response.redirect(303, await this.addressOrError(request, response, { provider, returnPath: path, isPersistent }));
  }

  @Get(':provider/callback')
  @HttpCode(303)
  @AllowAnonymous()
  @Describe('Return from a provider', 'Providers redirect browsers to this address, which must be registered with them.')
  @Answers(
    303,
    'The browser is redirected to the page where the sign-in began.',
    null,
    { 404: UNKNOWN },
    { Location: 'The path, with an error if the sign-in failed.' },
  )
  async callback(
    @Req() request: Request,
    @Res() response: Response,
    @TextParam('provider', NAME, EXAMPLE_NAME) provider: string,
  ): Promise<void> {
    response.redirect(303, await this.external.complete(request, response, provider));
  }

  private async addressOrError(
    request: Request,
    response: Response,
    flow: { readonly provider: string; readonly returnPath: string; readonly isPersistent: boolean },
  ): Promise<string> {
    try {
      return await this.external.begin(request, response, { ...flow, purpose: SignInFlowPurpose.SignIn, sessionId: null });
    } catch (error) {
      if (!(error instanceof ExternalSignInError)) throw error;
      return pathWithError(flow.returnPath, error.code, flow.provider);
    }
  }
}
