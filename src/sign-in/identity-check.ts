import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { PasswordCost } from '../authentication/password-cost.js';
import { PasswordHasher } from '../authentication/password-hasher.js';
import { payerAt } from '../authentication/password-payer.js';
import { MAXIMUM_PASSWORD_LENGTH } from '../authentication/password-policy.js';
import { KeyedBulkhead } from '../common/bulkhead.js';
import { AccountMails } from '../mail/account-mails.js';
import { SecurityLog, type SecurityOrigin } from '../security-log/security-log.js';
import { Accounts, type Account } from '../users/accounts.js';
import { SecondFactor, type SecondProof } from '../two-factor/second-factor.js';
import { normalizeName } from '../users/user-name.js';
import { EvenTime } from './even-time.js';
import { FailedProofs } from './failed-proofs.js';
import { Lockout } from './lockout.js';
import { UnknownNames } from './unknown-names.js';

/** What somebody offers as a proof of who they are. */
export interface Proof extends SecondProof {
  readonly password: string;
}

/** The outcome of a check. */
export type CheckOutcome =
  | { readonly kind: 'Accepted'; readonly account: Account }
  /** No such account, or a wrong password or code: callers must not tell which, except that only the code is wrong where the contract has it. */
  | { readonly kind: 'Refused'; readonly isCodeWrong?: true }
  | { readonly kind: 'LockedOut'; readonly until: Date }
  /** The password is right, and a code is needed besides. */
  | { readonly kind: 'TwoFactorRequired' }
  | { readonly kind: 'EmailNotConfirmed'; readonly account: Account };

/** One attempt on a name at a time: one that is under way counts as failed until it succeeds, and must not lock out the next. */
const ATTEMPTS = { running: 1, waiting: 8, what: 'sign-ins of this account' };

/**
 * Checks who somebody is, by name and password. Every way to sign in with a password ends here, so that failures are counted
 * together. A check of a name that nobody has takes as long and answers the same.
 */
@Injectable()
export class IdentityCheck {
  private readonly attempts = new KeyedBulkhead(ATTEMPTS);

  constructor(
    private readonly accounts: Accounts,
    private readonly hasher: PasswordHasher,
    private readonly cost: PasswordCost,
    private readonly secondFactor: SecondFactor,
    private readonly lockout: Lockout,
    private readonly unknownNames: UnknownNames,
    private readonly failures: FailedProofs,
    private readonly securityLog: SecurityLog,
    private readonly mails: AccountMails,
    private readonly evenTime: EvenTime,
    private readonly dataSource: DataSource,
  ) {}

  /** Checks the user of a name. */
  async ofName(name: string, proof: Proof, origin: SecurityOrigin): Promise<CheckOutcome> {
    const begun = performance.now();
    const outcome = await this.checkName(name, proof, origin);
    if (outcome.kind === 'Refused' || outcome.kind === 'LockedOut') await this.evenTime.next(begun);
    return outcome;
  }

  private async checkName(name: string, proof: Proof, origin: SecurityOrigin): Promise<CheckOutcome> {
    const { manager } = this.dataSource;
    const account = await this.accounts.findByName(manager, name);
    const normalizedName = normalizeName(name.trim());
    if (account === null) return this.attempts.run(normalizedName, () => this.ofNobody(normalizedName, proof, origin));
    const outcome = await this.attempts.run(account.id, () => this.ofAccount(account, proof, origin));
    if (outcome.kind !== 'Accepted' || account.emailConfirmed || !this.accounts.mustBeConfirmed) return outcome;
    return { kind: 'EmailNotConfirmed', account };
  }

  /** Checks the user of an open session again, by the password or by a code of the authenticator app. */
  again(account: Account, proof: Partial<Proof>, origin: SecurityOrigin): Promise<CheckOutcome> {
    return this.attempts.run(account.id, () => this.ofSession(account, proof, origin));
  }

  private async ofSession(account: Account, proof: Partial<Proof>, origin: SecurityOrigin): Promise<CheckOutcome> {
    const start = await this.lockout.begin(account.id);
    if (!start.mayTry) return { kind: 'LockedOut', until: start.lockedUntil };
    const { password, twoFactorCode } = proof;
    const isRight =
      password === undefined
        ? await this.secondFactor.acceptsCode(account.id, twoFactorCode ?? '')
        : await this.isPasswordOf(account, password, origin);
    if (!isRight) return this.failures.record(account, origin, 'ProofFailed', password === undefined ? 'wrong code' : 'wrong password');
    await this.lockout.succeeded(account.id);
    return { kind: 'Accepted', account };
  }

  private async ofAccount(account: Account, proof: Proof, origin: SecurityOrigin): Promise<CheckOutcome> {
    const { password } = proof;
    const start = await this.lockout.begin(account.id);
    if (!start.mayTry) return { kind: 'LockedOut', until: start.lockedUntil };
    if (!(await this.isPasswordOf(account, password, origin)))
      return this.failures.record(account, origin, 'SignInFailed', 'wrong password');
    if (account.twoFactorEnabled) {
      const second = await this.secondProof(account, proof, origin);
      if (second === 'missing') {
        await this.lockout.withdraw(account.id);
        return { kind: 'TwoFactorRequired' };
      }
      if (second === 'wrong') {
        const refused = await this.failures.record(account, origin, 'SignInFailed', 'wrong code');
        return refused.kind === 'Refused' ? { ...refused, isCodeWrong: true } : refused;
      }
    }
    await this.lockout.succeeded(account.id);
    if (account.passwordHash !== null && this.cost.differsFromThatOf(account.passwordHash)) {
      const rehashed = await this.hasher.hash(payerAt(origin.visitor.remoteAddress), password);
      await this.accounts.rehash(this.dataSource.manager, account, rehashed);
    }
    return { kind: 'Accepted', account };
  }

  private async secondProof(
    account: Account,
    { twoFactorCode, recoveryCode }: SecondProof,
    origin: SecurityOrigin,
  ): Promise<'right' | 'wrong' | 'missing'> {
    if (recoveryCode) {
      const left = await this.secondFactor.useRecoveryCode(account.id, recoveryCode);
      if (left === null) return 'wrong';
      const entry = { user: account, kind: 'RecoveryCodeUsed', detail: `${left} left` } as const;
      await this.securityLog.write(this.dataSource.manager, entry, origin);
      this.mails.recoveryCodeUsed(account, left, origin);
      return 'right';
    }
    if (!twoFactorCode) return 'missing';
    return (await this.secondFactor.acceptsCode(account.id, twoFactorCode)) ? 'right' : 'wrong';
  }

  private async ofNobody(normalizedName: string, { password }: Proof, origin: SecurityOrigin): Promise<CheckOutcome> {
    const start = await this.unknownNames.begin(normalizedName);
    if (!start.mayTry) return { kind: 'LockedOut', until: start.lockedUntil };
    try {
      await this.matches(password, null, origin);
    } catch (error) {
      await this.unknownNames.withdraw(normalizedName);
      throw error;
    }
    const until = await this.unknownNames.failed(normalizedName);
    return until === null ? { kind: 'Refused' } : { kind: 'LockedOut', until };
  }

  /** Compares the password of an attempt that has begun. One that is turned away, because too many wait, proves nothing and does not count. */
  private async isPasswordOf({ id, passwordHash }: Account, password: string, origin: SecurityOrigin): Promise<boolean> {
    try {
      return await this.matches(password, passwordHash, origin);
    } catch (error) {
      await this.lockout.withdraw(id);
      throw error;
    }
  }

  /** A text that is longer than any password is not hashed. */
  private async matches(password: string, stored: string | null, origin: SecurityOrigin): Promise<boolean> {
    const isPossible = password.length <= MAXIMUM_PASSWORD_LENGTH;
    return (await this.hasher.matches(payerAt(origin.visitor.remoteAddress), isPossible ? password : '', stored)) && isPossible;
  }
}
