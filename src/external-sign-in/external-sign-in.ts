import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';

import { SignInMethod } from '../authentication/sessions/session.entity.js';
import { sessionIdOf } from '../authentication/sessions/sessions.js';
import { messageOf } from '../common/errors.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { PublicUrl } from '../http/public-url.js';
import { Lockout } from '../sign-in/lockout.js';
import { SignIn } from '../sign-in/sign-in.js';
import { Accounts } from '../users/accounts.js';
import { ExternalLogins } from './external-logins.js';
import { ExternalSignInError, type ExternalIdentity, type ExternalProvider } from './external-provider.js';
import { ExternalProviders } from './external-providers.js';
import { Passages, type NewPassage, type Passage } from './passages.js';
import { pathWithError } from './return-path.js';

/** Signs people in by what a provider says of them, and connects their logins there with their accounts. */
@Injectable()
export class ExternalSignIn {
  private readonly logger = new Logger('ExternalSignIn');

  constructor(
    private readonly providers: ExternalProviders,
    private readonly passages: Passages,
    private readonly logins: ExternalLogins,
    private readonly signIn: SignIn,
    private readonly lockout: Lockout,
    private readonly accounts: Accounts,
    private readonly publicUrl: PublicUrl,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Begins a passage and returns the address at the provider to which the browser goes. 404 for an unknown provider.
   * @throws ExternalSignInError when the provider does not answer
   */
  async begin(request: Request, response: Response, passage: NewPassage): Promise<string> {
    const provider = this.providers.require(passage.provider);
    const secrets = await this.passages.begin(request, response, passage);
    try {
      return (await provider.addressFor(this.callbackOf(request, provider), secrets)).href;
    } catch (error) {
      throw this.logged(provider, error);
    }
  }

  /** Completes the passage that a browser comes back from, and returns the path of this service to which it is led. */
  async complete(request: Request, response: Response, name: string): Promise<string> {
    const provider = this.providers.require(name);
    const answer = new URL(this.callbackOf(request, provider));
    answer.search = new URL(request.originalUrl, answer).search;
    const passage = await this.passages.complete(request, response, name, answer);
    if (passage === null) return pathWithError('/', 'Expired', name);
    try {
      const identity = await provider.identify(answer, passage);
      if (passage.sessionId === null) await this.open(request, response, provider, identity, passage);
      else await this.connect(request, provider, identity, passage.sessionId);
      return passage.returnPath;
    } catch (error) {
      if (!(error instanceof ExternalSignInError)) throw error;
      return pathWithError(passage.returnPath, this.logged(provider, error).code, name);
    }
  }

  /** Signs in the user whose account is connected with a login. The address at the provider decides nothing. */
  private async open(
    request: Request,
    response: Response,
    { name }: ExternalProvider,
    identity: ExternalIdentity,
    { isPersistent }: Passage,
  ): Promise<void> {
    const context = this.signIn.contextOf(request);
    const login = await this.logins.find(context.manager, name, identity);
    const account = login === null ? null : await this.accounts.find(context.manager, login.userId);
    if (login === null || account === null) throw new ExternalSignInError('NotConnected');
    if (this.accounts.mustBeConfirmed && !account.emailConfirmed) {
      throw new ExternalSignInError('EmailNotConfirmed');
    }
    if (await this.lockout.isLocked(account.id)) throw new ExternalSignInError('LockedOut');
    const former = await this.signIn.formerOf(request);
    const opened = await this.unitOfWork.run(context, async (tx) => {
      const session = await this.signIn.open(tx, request, { userId: account.id, method: SignInMethod.External, isPersistent }, former);
      if (!(await this.logins.noteUse(tx, login, identity))) throw new ExternalSignInError('NotConnected');
      return session;
    });
    this.signIn.remember(response, opened);
  }

  /** Connects a login with the account of the session that asked for it, which must still be that of the browser. */
  private async connect(request: Request, { name }: ExternalProvider, identity: ExternalIdentity, sessionId: string): Promise<void> {
    const principal = await this.signIn.formerOf(request);
    if (principal === null || sessionIdOf(principal) !== sessionId) throw new ExternalSignInError('SessionEnded');
    const context = { ...this.signIn.contextOf(request), principal };
    await this.logins.connect(context, name, identity, this.signIn.originOf(request));
  }

  /** Where a provider sends browsers back to. Providers accept addresses only that they know. */
  private callbackOf(request: Request, { name }: ExternalProvider): string {
    return `${this.publicUrl.of(request)}/account/external/${name}/callback`;
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
