import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { BearerSessions, type BearerTokens } from '../../access/authentication/sessions/bearer-sessions.js';
import { SignInMethod } from '../../access/authentication/sessions/session.entity.js';
import { SecurityLog } from '../../access/security-log/security-log.js';
import { unauthorized } from '../../platform/common/errors/errors.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { IdentityCheck, type CheckOutcome } from '../sign-in/identity-check.js';
import { requireUnchanged, SUSPENDED } from '../sign-in/refused-identity.js';
import { SignInNews } from '../sign-in/sign-in-news.js';
import { SignIn } from '../sign-in/sign-in.js';
import { Accounts, type Account } from '../users/accounts.js';
import type { LoginRequestDto } from './interactive-login.dto.js';

/** Signs programs in for bearer tokens. */
@Injectable()
export class InteractiveLogin {
  constructor(
    private readonly check: IdentityCheck,
    private readonly signIn: SignIn,
    private readonly news: SignInNews,
    private readonly accounts: Accounts,
    private readonly bearerSessions: BearerSessions,
    private readonly securityLog: SecurityLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Checks the caller's identity, as any sign-in with a password does. */
  prove(request: Request, { email, password, twoFactorCode, twoFactorRecoveryCode }: LoginRequestDto): Promise<CheckOutcome> {
    return this.check.ofName(email, { password, twoFactorCode, recoveryCode: twoFactorRecoveryCode }, this.signIn.originOf(request));
  }

  /** Opens a session for an account whose user has proved to be there. 401 if the account was changed since. */
  open(request: Request, { id, securityStamp }: Pick<Account, 'id' | 'securityStamp'>): Promise<BearerTokens> {
    const origin = this.signIn.originOf(request);
    return this.unitOfWork.run(this.signIn.contextOf(request), async (tx) => {
      const account = await this.accounts.lock(tx, id);
      if (account.suspendedAt !== null) throw unauthorized(SUSPENDED);
      requireUnchanged(account, securityStamp);
      await this.accounts.noteSignIn(tx, id);
      await this.news.ofProgram({ manager: tx.manager, account, visitor: origin.visitor });
      await this.securityLog.write(tx.manager, { user: account, kind: 'SignedIn', detail: SignInMethod.Bearer }, origin);
      return this.bearerSessions.open(tx, account, origin.visitor);
    });
  }

  /** Exchanges a refresh token for new tokens; null when it does not work. A token that was used before ends its session. */
  async refresh(request: Request, refreshToken: string): Promise<BearerTokens | null> {
    const origin = this.signIn.originOf(request);
    const outcome = await this.unitOfWork.run(this.signIn.contextOf(request), async (tx) => {
      const refreshed = await this.bearerSessions.refresh(tx, refreshToken);
      if (refreshed.kind === 'Replayed') {
        const user = await this.accounts.find(tx.manager, refreshed.userId);
        if (user !== null)
          await this.securityLog.write(tx.manager, { user, kind: 'SessionEnded', detail: 'refresh token used again' }, origin);
      }
      return refreshed;
    });
    return outcome.kind === 'Refreshed' ? outcome.tokens : null;
  }
}
