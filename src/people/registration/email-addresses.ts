import { Injectable } from '@nestjs/common';

import type { Principal } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { sessionIdOf, Sessions } from '../../access/authentication/sessions/sessions.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { AfterAnswer } from '../../platform/common/concurrency/after-answer.js';
import { conflict, DomainError, ErrorCode, invalidField } from '../../platform/common/errors/errors.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { InvitesService } from '../invites/invites.service.js';
import { AccountMails } from '../mail/account-mails.js';
import { Accounts, type Account } from '../users/accounts.js';
import { normalizeName } from '../users/user-name.js';
import { UserCreation } from '../users/user-creation.js';
import { UsersService } from '../users/users.service.js';
import { CodePurpose } from './account-code.entity.js';
import { AccountCodes, MAIL_PAUSE_MS } from './account-codes.js';
import { requireEmailAddress } from './email-address.js';

type Tx = InTransaction<RequestContext>;

const TAKEN = 'Another account now has this e-mail address.';
const TOO_SOON = 'An e-mail was just sent. Wait a minute before you request another one.';

/** Proves that e-mail addresses belong to the users of accounts, and changes them. */
@Injectable()
export class EmailAddresses {
  constructor(
    private readonly codes: AccountCodes,
    private readonly accounts: Accounts,
    private readonly users: UsersService,
    private readonly invites: InvitesService,
    private readonly sessions: Sessions,
    private readonly mails: AccountMails,
    private readonly securityLog: SecurityLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly afterAnswer: AfterAnswer,
    creation: UserCreation,
  ) {
    creation.afterCreation((context, user) => this.welcome(context, user));
  }

  /** Sends the mail for the confirmation of an account's address, not more often than once a minute. */
  async askToConfirm(context: RequestContext, userId: string): Promise<void> {
    const { account, issued } = await this.unitOfWork.run(context, async (tx) => {
      const locked = await this.accounts.lock(tx, userId);
      return { account: locked, issued: await this.codes.issue(tx, locked, CodePurpose.ConfirmEmail) };
    });
    if (account.email !== null && issued !== null) this.mails.confirmEmail(account.email, issued);
  }

  /** Sends that mail again after the answer, if there is an account that waits for it. */
  askAgain(context: RequestContext, email: string): void {
    this.afterAnswer.add('confirmation of an e-mail address', async () => {
      const account = await this.accounts.findByName(context.manager, email);
      if (account === null || account.emailConfirmed || (await this.invites.isInvited(context.manager, account.id))) return;
      await this.askToConfirm(context, account.id);
    });
  }

  /**
   * Sends a mail to the new address of an account, which is used once it is confirmed. The answer is the same when the address is
   * taken: its owner is told. 429 within a minute after the last time.
   */
  async askToChange(context: RequestContext, userId: string, newEmail: string, origin: SecurityOrigin): Promise<void> {
    const address = newEmail.trim();
    const issued = await this.unitOfWork.run(context, async (tx) => {
      const account = await this.accounts.lock(tx, userId);
      requireOtherAddress(account, address);
      const code = await this.codes.issue(tx, account, CodePurpose.ChangeEmail, address);
      if (code === null)
        throw new DomainError(ErrorCode.TooManyRequests, TOO_SOON, undefined, { 'Retry-After': String(MAIL_PAUSE_MS / 1000) });
      await this.securityLog.write(tx.manager, { user: account, kind: 'EmailChangeRequested', detail: address }, origin);
      return code;
    });
    if (!(await this.users.isTaken(context.manager, address))) {
      this.mails.confirmNewEmail(address, issued);
      return;
    }
    const owner = await this.accounts.findByName(context.manager, address);
    if (owner !== null) this.mails.alreadyRegistered(owner);
  }

  /**
   * Confirms the address of an account, or changes it to the one that the code was sent to, and returns it. A change ends the user's
   * sessions, except the one in which it is confirmed. 400 for a code that does not work, 409 when another account took the address.
   */
  async confirm(context: RequestContext, code: string, visitor: Principal | null, origin: SecurityOrigin): Promise<string> {
    const { account, newEmail } = await this.unitOfWork.run(
      context,
      async (tx) => {
        const redeemed = await this.codes.redeem(tx, code, [CodePurpose.ConfirmEmail, CodePurpose.ChangeEmail]);
        if (redeemed.newEmail !== null) await this.change(tx, redeemed.account, redeemed.newEmail, visitor, origin);
        else await this.markConfirmed(tx, redeemed.account, origin);
        return redeemed;
      },
      { uq_users_normalized_user_name: TAKEN },
    );
    if (newEmail !== null) this.mails.emailChanged(account, newEmail, origin);
    return newEmail ?? account.email ?? account.userName;
  }

  /** Notes that the address of an account is its user's. */
  async markConfirmed(tx: Tx, account: Account, origin: SecurityOrigin): Promise<void> {
    if (account.emailConfirmed) return;
    await this.accounts.confirmEmail(tx, account);
    await this.securityLog.write(tx.manager, { user: account, kind: 'EmailConfirmed' }, origin);
  }

  /** Sends the confirmation mail to a user made by another user, where sign-in requires the confirmation. */
  private async welcome(context: RequestContext, { id, emailConfirmed }: Account): Promise<void> {
    if (this.accounts.mustBeConfirmed && !emailConfirmed) await this.askToConfirm(context, id);
  }

  private async change(tx: Tx, account: Account, newEmail: string, visitor: Principal | null, origin: SecurityOrigin): Promise<void> {
    if (await this.users.isTaken(tx.manager, newEmail)) throw conflict(TAKEN);
    const stamp = await this.accounts.changeEmail(tx, account, newEmail);
    const detail = account.email ?? account.userName;
    await this.securityLog.write(tx.manager, { user: { ...account, userName: newEmail }, kind: 'EmailChanged', detail }, origin);
    if (visitor?.type !== 'User' || visitor.id !== account.id) return;
    const sessionId = sessionIdOf(visitor);
    if (sessionId !== null) await this.sessions.keep(tx, sessionId, stamp);
  }
}

/** 400 at `newEmail` unless an account can change to this address. Whether it is taken is not looked at. */
export function requireOtherAddress({ email }: Pick<Account, 'email'>, newEmail: string): void {
  const address = requireEmailAddress('newEmail', newEmail);
  if (normalizeName(address) === normalizeName(email ?? '')) throw invalidField('newEmail', 'newEmail is your address already.');
}
