import { Injectable } from '@nestjs/common';

import { PasswordHasher } from '../../access/authentication/passwords/password-hasher.js';
import { requireGoodPassword } from '../../access/authentication/passwords/password-policy.js';
import { passwordSourceAt } from '../../access/authentication/passwords/password-source.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { AfterAnswer } from '../../platform/common/concurrency/after-answer.js';
import { invalid } from '../../platform/common/errors/errors.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { InvitesService } from '../invites/invites.service.js';
import { AccountMails } from '../mail/account-mails.js';
import { Accounts } from '../users/accounts.js';
import { normalizeName } from '../users/user-name.js';
import { CodePurpose } from './account-code.entity.js';
import { AccountCodes } from './account-codes.js';
import { EmailAddresses } from './email-addresses.js';

/** The code of a link from the mail of {@link PasswordResets.request}, and the password that its user chose. */
export interface PasswordReset {
  readonly code: string;
  readonly newPassword: string;
  /** The address that the code must belong to; null asks for none, because the code names its account. */
  readonly email: string | null;
}

const OTHER_ADDRESS = 'The code does not belong to this e-mail address.';

/** Lets people who have forgotten their password choose another one, with a link that comes by mail. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly codes: AccountCodes,
    private readonly addresses: EmailAddresses,
    private readonly accounts: Accounts,
    private readonly invites: InvitesService,
    private readonly hasher: PasswordHasher,
    private readonly mails: AccountMails,
    private readonly securityLog: SecurityLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly afterAnswer: AfterAnswer,
  ) {}

  /**
   * Sends a link to a user who has forgotten the password, after the answer, so that neither the answer nor its time tells whether there
   * is an account. Not more often than once a minute, not to suspended users, and not to people who have not accepted their invite yet:
   * theirs is the way in.
   */
  request(context: RequestContext, email: string, origin: SecurityOrigin): void {
    this.afterAnswer.add('reset of a password', async () => {
      const account = await this.accounts.findByName(context.manager, email);
      if (account === null || account.suspendedAt !== null || (await this.invites.isInvited(context.manager, account.id))) return;
      const issued = await this.unitOfWork.run(context, async (tx) => {
        const locked = await this.accounts.lock(tx, account.id);
        const code = await this.codes.issue(tx, locked, CodePurpose.ResetPassword);
        if (code !== null) await this.securityLog.write(tx.manager, { user: locked, kind: 'PasswordResetRequested' }, origin);
        return code;
      });
      if (issued !== null) this.mails.resetPassword(account, issued);
    });
  }

  /**
   * Sets a password with the code of a mail, which also proves the address. Ends all sessions of the user and a lock-out. 400 for a
   * code that does not work, or at `newPassword`.
   */
  async complete(context: RequestContext, { code, newPassword, email }: PasswordReset, origin: SecurityOrigin): Promise<void> {
    await requireGoodPassword('newPassword', newPassword);
    // Without a valid code, no password is hashed.
    await this.codes.require(context.manager, code, [CodePurpose.ResetPassword]);
    const passwordHash = await this.hasher.hash(passwordSourceAt(origin.visitor.remoteAddress), newPassword);
    const account = await this.unitOfWork.run(context, async (tx) => {
      const redeemed = await this.codes.redeem(tx, code, [CodePurpose.ResetPassword]);
      const { userName } = redeemed.account;
      if (email !== null && normalizeName(email.trim()) !== normalizeName(userName)) throw invalid(OTHER_ADDRESS);
      await this.addresses.markConfirmed(tx, redeemed.account, origin);
      await this.accounts.setPassword(tx, redeemed.account, passwordHash);
      await this.securityLog.write(tx.manager, { user: redeemed.account, kind: 'PasswordReset' }, origin);
      return redeemed.account;
    });
    this.mails.passwordChanged(account, origin);
  }
}
