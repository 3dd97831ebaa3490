import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { PasswordHasher } from '../../access/authentication/passwords/password-hasher.js';
import { requireGoodPassword } from '../../access/authentication/passwords/password-policy.js';
import { passwordSourceAt } from '../../access/authentication/passwords/password-source.js';
import { credentialIdOf, userIdOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { sessionIdOf, Sessions } from '../../access/authentication/sessions/sessions.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { conflict, invalidField, unauthorized } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { AccountMails } from '../mail/account-mails.js';
import { IdentityCheck } from '../sign-in/identity-check.js';
import { refusedIdentity } from '../sign-in/refused-identity.js';
import { Accounts, type Account } from '../users/accounts.js';

const CHANGED_MEANWHILE = 'The password was changed by another request at the same time. Sign in again.';

/** Changes of people's own passwords by those who know the present one. */
@Injectable()
export class Passwords {
  constructor(
    private readonly check: IdentityCheck,
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly hasher: PasswordHasher,
    private readonly mails: AccountMails,
    private readonly securityLog: SecurityLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Changes the password of the calling user, whose other sessions end. 400 at `currentPassword` when it is wrong, which counts as a
   * failed sign-in, or at `newPassword`; 401 while the account is locked.
   */
  async change(context: RequestContext, currentPassword: string, newPassword: string, origin: SecurityOrigin): Promise<void> {
    const account = await this.accounts.find(this.dataSource.manager, userIdOf(context.principal));
    if (account === null) throw unauthorized('The account was deleted.');
    await requireGoodPassword('newPassword', newPassword);
    // A personal access token has no session; its guesses count for the token.
    await this.requirePassword(
      account,
      sessionIdOf(context.principal) ?? credentialIdOf(context.principal) ?? account.id,
      currentPassword,
      origin,
    );
    await this.replace(context, account, { currentPassword, newPassword }, origin);
  }

  /**
   * Sets a password of an account whose user has just proved the present one. The user's sessions end, except the one in which the
   * password is changed. 400 at `newPassword`.
   */
  async replace(
    context: RequestContext,
    account: Account,
    { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
    origin: SecurityOrigin,
  ): Promise<void> {
    // A user who has to set another password would otherwise keep the temporary one.
    if (currentPassword === newPassword) throw invalidField('newPassword', 'The new password must differ from the current one.');
    await requireGoodPassword('newPassword', newPassword);
    const passwordHash = await this.hasher.hash(passwordSourceAt(origin.visitor.remoteAddress), newPassword);
    await this.unitOfWork.run(context, async (tx) => {
      const locked = await this.accounts.lock(tx, account.id);
      if (locked.securityStamp !== account.securityStamp) throw conflict(CHANGED_MEANWHILE);
      const stamp = await this.accounts.setPassword(tx, locked, passwordHash);
      await this.sessions.keepCallers(tx, stamp);
      await this.securityLog.write(tx.manager, { user: locked, kind: 'PasswordChanged' }, origin);
    });
    this.mails.passwordChanged(account, origin);
  }

  private async requirePassword(account: Account, sessionId: string, password: string, origin: SecurityOrigin): Promise<void> {
    const outcome = await this.check.again(account, sessionId, { password }, origin);
    if (outcome.kind === 'LockedOut') throw refusedIdentity(outcome, this.clock.milliseconds());
    if (outcome.kind !== 'Accepted') throw invalidField('currentPassword', 'The password is wrong.');
  }
}
