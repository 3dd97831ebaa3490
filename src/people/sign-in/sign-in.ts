import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';

import { SYSTEM, type Principal } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { SessionCookie } from '../../access/authentication/sessions/session-cookie.js';
import type { SignInMethod } from '../../access/authentication/sessions/session.entity.js';
import { sessionIdOf, Sessions, type NewSession, type OpenedSession } from '../../access/authentication/sessions/sessions.js';
import { BrowserCookie } from '../../access/authentication/visitors/browser-cookie.js';
import { Visitors } from '../../access/authentication/visitors/visitors.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { Accounts } from '../users/accounts.js';
import { requireUnchanged, suspended } from './refused-identity.js';
import { SignInNews } from './sign-in-news.js';

/** A sign-in of a user whose identity is proved. */
export interface SignInRequest {
  readonly userId: string;
  /** The account's stamp at the time of a proof in another transaction: the sign-in is refused if another one has replaced it since. */
  readonly provenStamp?: string;
  readonly method: SignInMethod;
  /** True if the browser stays signed in after it was closed. */
  readonly isPersistent: boolean;
  readonly logonToken?: NewSession['logonToken'];
}

/** A session that a browser has opened, and the value by which the browser is known again; null for one that a link let in. */
export interface SignedInBrowser extends OpenedSession {
  readonly browser: string | null;
}

/** Signs browsers in and out. Every way of signing in ends in {@link complete}. */
@Injectable()
export class SignIn {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly news: SignInNews,
    private readonly browserCookie: BrowserCookie,
    private readonly securityLog: SecurityLog,
    private readonly visitors: Visitors,
    private readonly dataSource: DataSource,
  ) {}

  /** Returns the origin of a request, for the security log and for mails. */
  originOf(request: Request): SecurityOrigin {
    return { visitor: this.visitors.of(request), requestId: request.id };
  }

  /** The context of work that is done for a visitor who has no credential. */
  contextOf(request: Request): RequestContext {
    const { remoteAddress } = this.visitors.of(request);
    return { principal: SYSTEM, tenantId: null, requestId: request.id, remoteAddress, manager: this.dataSource.manager };
  }

  /**
   * Opens a session for a user whose identity is proved, and gives the browser its cookie. The session that the browser had before
   * ends, so that no one who knew its cookie is signed in with the new one.
   */
  async complete(request: Request, response: Response, signIn: SignInRequest): Promise<SignedInBrowser> {
    const former = await this.formerOf(request);
    const opened = await this.unitOfWork.run(this.contextOf(request), (tx) => this.open(tx, request, signIn, former));
    this.remember(response, opened);
    return opened;
  }

  /** Gives the browser the cookie of a session that a transaction has opened. */
  remember(response: Response, { browser, ...opened }: SignedInBrowser): void {
    this.cookie.set(response, opened);
    if (browser !== null) this.browserCookie.set(response, browser);
  }

  /**
   * Opens a session in a transaction that changes other things, too. {@link remember} it after the commit. 403 for a suspended user, 401
   * for an account that was changed since the proof.
   */
  async open(
    tx: InTransaction<RequestContext>,
    request: Request,
    { userId, provenStamp, method, isPersistent, logonToken }: SignInRequest,
    former: Principal | null = null,
  ): Promise<SignedInBrowser> {
    const origin = this.originOf(request);
    const account = await this.accounts.lock(tx, userId);
    if (account.suspendedAt !== null) throw suspended();
    if (provenStamp !== undefined) requireUnchanged(account, provenStamp);
    const formerId = former === null ? null : sessionIdOf(former);
    if (former !== null && formerId !== null && former.type === 'User') await this.sessions.end(tx, former.id, formerId);
    await (logonToken === undefined ? this.accounts.noteSignIn(tx, userId) : this.accounts.noteVisit(tx, userId));
    await this.securityLog.write(tx.manager, { user: account, kind: 'SignedIn', detail: method }, origin);
    const limits = logonToken === undefined ? {} : { logonToken };
    const opened = await this.sessions.open(tx, { user: account, method, isPersistent, visitor: origin.visitor, ...limits });
    // A sign-in by a link proves nothing that makes the browser the user's own.
    if (logonToken !== undefined) return { ...opened, browser: null };
    const browser = origin.visitor.browser ?? this.browserCookie.newValue();
    await this.news.ofBrowser({ manager: tx.manager, account, visitor: origin.visitor }, browser, method);
    return { ...opened, browser };
  }

  /** Ends the session of a request and takes its cookie from the browser. Other credentials stay as they are. */
  async signOut(context: RequestContext, request: Request, response: Response): Promise<void> {
    const { principal } = context;
    const sessionId = sessionIdOf(principal);
    if (principal.type === 'User' && sessionId !== null) {
      await this.unitOfWork.run(context, async (tx) => {
        await this.sessions.end(tx, principal.id, sessionId);
        const user = { id: principal.id, tenantId: principal.tenantId, userName: principal.name };
        await this.securityLog.write(tx.manager, { user, kind: 'SignedOut' }, this.originOf(request));
      });
    }
    this.cookie.clear(response);
  }

  /** The user of the session that a browser has now; null without one. */
  async formerOf(request: Request): Promise<Principal | null> {
    const value = this.cookie.read(request);
    return value === null ? null : this.sessions.principalOf(value);
  }
}
