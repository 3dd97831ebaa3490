import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';

import { userIdOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { SignInMethod } from '../../access/authentication/sessions/session.entity.js';
import { sessionIdOf } from '../../access/authentication/sessions/sessions.js';
import type { SecurityOrigin } from '../../access/security-log/security-log.js';
import { DomainError, messageOf } from '../../platform/common/errors/errors.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { PublicUrl } from '../../platform/http/addresses/public-url.js';
import { FailedProofs } from '../sign-in/failed-proofs.js';
import { SignIn, type SignedInBrowser } from '../sign-in/sign-in.js';
import { StepUp } from '../sign-in/step-up.js';
import { Accounts } from '../users/accounts.js';
import { SignInFlowPurpose } from './external-login.entity.js';
import { ExternalLogins } from './external-logins.js';
import { callbackPathOf, ExternalSignInError, type ExternalIdentity, type ExternalProvider } from './external-provider.js';
import { ExternalProviders } from './external-providers.js';
import { ExternalSignUp } from './external-sign-up.js';
import { pathWithError } from './return-path.js';
import { SIGN_IN_FLOW_LIFETIME_MS, SignInFlows, type NewSignInFlow, type SignInFlow } from './sign-in-flows.js';

/** Signs people in through a provider, connects a login with their account, and confirms that they are still there. */
@Injectable()
export class ExternalSignIn {
  private readonly logger = new Logger('ExternalSignIn');

  constructor(
    private readonly providers: ExternalProviders,
    private readonly flows: SignInFlows,
    private readonly logins: ExternalLogins,
    private readonly signUp: ExternalSignUp,
    private readonly signIn: SignIn,
    private readonly stepUp: StepUp,
    private readonly failures: FailedProofs,
    private readonly accounts: Accounts,
    private readonly publicUrl: PublicUrl,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Begins a sign-in flow and returns the address at the provider to which the browser goes. 404 for an unknown provider.
   * @throws ExternalSignInError when the provider does not answer
   */
  async begin(request: Request, response: Response, flow: NewSignInFlow): Promise<string> {
    const provider = this.providers.require(flow.provider);
    const secrets = await this.flows.begin(request, response, flow);
    try {
      const wish = { redirectUri: this.callbackOf(request, provider), isAnew: flow.purpose === SignInFlowPurpose.StepUp };
      return (await provider.addressFor(wish, secrets)).href;
    } catch (error) {
      throw this.logged(provider, error);
    }
  }

  /** Completes the flow from which a browser comes back, and returns the path of this service to which the browser goes. */
  async complete(request: Request, response: Response, name: string): Promise<string> {
    const provider = this.providers.require(name);
    const answer = new URL(this.callbackOf(request, provider));
    answer.search = new URL(request.originalUrl, answer).search;
    const flow = await this.flows.complete(request, response, name, answer);
    if (flow === null) return pathWithError('/', 'Expired', name);
    try {
      await this.arrive(request, response, provider.name, await provider.identify(answer, flow), flow);
      return flow.returnPath;
    } catch (error) {
      if (!(error instanceof ExternalSignInError)) throw error;
      return pathWithError(flow.returnPath, this.logged(provider, error).code, name);
    }
  }

  private async arrive(
    request: Request,
    response: Response,
    provider: string,
    identity: ExternalIdentity,
    flow: SignInFlow,
  ): Promise<void> {
    switch (flow.purpose) {
      case SignInFlowPurpose.SignIn:
        return this.open(request, response, provider, identity, flow);
      case SignInFlowPurpose.Connect:
        return this.logins.connect(await this.sessionOf(request, flow), provider, identity, this.signIn.originOf(request));
      case SignInFlowPurpose.StepUp:
        return this.prove(await this.sessionOf(request, flow), provider, identity, this.signIn.originOf(request));
    }
  }

  /** Signs in the user whose account is connected with a login. A person without one gets an account where registration is open. */
  private async open(
    request: Request,
    response: Response,
    provider: string,
    identity: ExternalIdentity,
    { isPersistent }: SignInFlow,
  ): Promise<void> {
    const context = this.signIn.contextOf(request);
    const known = await this.logins.find(context.manager, provider, identity);
    if (known === null) await this.signUp.run(context, provider, identity, this.signIn.originOf(request));
    const login = known ?? (await this.logins.find(context.manager, provider, identity));
    if (login === null) throw new ExternalSignInError('NotConnected');
    const { userId } = login;
    await this.requireOpen(request, context, userId);
    const former = await this.signIn.formerOf(request);
    const open = async (tx: InTransaction<RequestContext>): Promise<SignedInBrowser> => {
      const session = await this.signIn.open(tx, request, { userId, method: SignInMethod.External, isPersistent }, former);
      if (!(await this.logins.noteUse(tx, login, identity))) throw new ExternalSignInError('NotConnected');
      return session;
    };
    try {
      this.signIn.remember(response, await this.unitOfWork.run(context, open));
    } catch (error) {
      // The user may have been suspended or deleted since the look at the account.
      if (error instanceof DomainError) await this.requireOpen(request, context, userId);
      throw error;
    }
  }

  /** Checks that the account exists and may sign in. */
  private async requireOpen(request: Request, { manager }: RequestContext, userId: string): Promise<void> {
    const account = await this.accounts.find(manager, userId);
    if (account === null) throw new ExternalSignInError('NotConnected');
    if (account.suspendedAt !== null) {
      await this.failures.noteSuspended(account, this.signIn.originOf(request));
      throw new ExternalSignInError('Suspended');
    }
    if (this.accounts.mustBeConfirmed && !account.emailConfirmed) throw new ExternalSignInError('EmailNotConfirmed');
  }

  /** Accepts a sign-in at the provider as a proof that the user of the session is still there. */
  private async prove(context: RequestContext, provider: string, identity: ExternalIdentity, origin: SecurityOrigin): Promise<void> {
    const userId = userIdOf(context.principal);
    const { signInAge } = identity;
    if (signInAge !== null && signInAge * 1000 > SIGN_IN_FLOW_LIFETIME_MS) throw new ExternalSignInError('NotAnew');
    const login = await this.logins.find(context.manager, provider, identity);
    if (login?.userId !== userId) throw new ExternalSignInError('OtherLogin');
    await this.stepUp.accept(context, userId, origin);
  }

  /** The session in which a flow began, which must still be that of the browser. */
  private async sessionOf(request: Request, { sessionId }: SignInFlow): Promise<RequestContext> {
    const principal = await this.signIn.formerOf(request);
    if (principal === null || sessionIdOf(principal) !== sessionId) throw new ExternalSignInError('SessionEnded');
    return { ...this.signIn.contextOf(request), principal };
  }

  /** The address to which a provider sends browsers back. Providers accept only addresses that they know. */
  private callbackOf(request: Request, { name }: ExternalProvider): string {
    return this.publicUrl.ofCaller(request) + callbackPathOf(name);
  }

  /** The error, which the operator has been told about if the provider is to blame. */
  private logged({ name }: ExternalProvider, error: unknown): ExternalSignInError {
    if (!(error instanceof ExternalSignInError)) throw error;
    if (error.code === 'ProviderFailed' || error.code === 'ProviderUnavailable') {
      this.logger.warn({ message: 'A sign-in with another provider failed.', provider: name, code: error.code, reason: reasonOf(error) });
    }
    return error;
  }
}

/** The messages of an error and its causes, in one line. */
function reasonOf(error: Error): string {
  const messages: string[] = [];
  for (let cause: unknown = error.cause; cause instanceof Error && messages.length < 4; cause = cause.cause)
    messages.push(messageOf(cause));
  return messages
    .join(': ')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, 500);
}
