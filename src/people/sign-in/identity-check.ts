import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { PasswordCost } from '../../access/authentication/passwords/password-cost.js';
import { PasswordHasher } from '../../access/authentication/passwords/password-hasher.js';
import { MAXIMUM_PASSWORD_LENGTH } from '../../access/authentication/passwords/password-policy.js';
import { passwordSourceAt, passwordSourceOfBrowser, type PasswordSource } from '../../access/authentication/passwords/password-source.js';
import type { SecurityOrigin } from '../../access/security-log/security-log.js';
import { KeyedBulkhead } from '../../platform/common/concurrency/bulkhead.js';
import type { SecondProof } from '../two-factor/second-factor.js';
import { Accounts, type Account } from '../users/accounts.js';
import { normalizeName } from '../users/user-name.js';
import { sourceOfSession, sourceOfVisitor, type AttemptSource } from './attempt-source.js';
import { Attempts } from './attempts.js';
import { ConstantTimeReply } from './constant-time-reply.js';
import { FailedProofs } from './failed-proofs.js';
import { KnownBrowsers, type Familiarity } from './known-browsers.js';
import { SecondProofs } from './second-proofs.js';

/** Credentials that a caller offers as a proof of identity. */
export interface Proof extends SecondProof {
  readonly password: string;
}

/** The outcome of a check. */
export type CheckOutcome =
  | { readonly kind: 'Accepted'; readonly account: Account }
  /**
   * No such account, or a wrong password or code: callers must not tell which, except that only the code is wrong where the contract has
   * it.
   */
  | { readonly kind: 'Refused'; readonly isCodeWrong?: true }
  | { readonly kind: 'LockedOut'; readonly until: Date }
  /** The password is right, and a code is needed besides. */
  | { readonly kind: 'TwoFactorRequired' }
  | { readonly kind: 'EmailNotConfirmed'; readonly account: Account }
  /** Everything is right, but the user is suspended. */
  | { readonly kind: 'Suspended' };

/** An attempt to prove an identity: its source, and the passwordSource for the comparison of the password. */
interface Attempt {
  readonly source: AttemptSource;
  readonly passwordSource: PasswordSource;
  readonly origin: SecurityOrigin;
}

/** One attempt on a name at a time: one that is under way counts as failed until it succeeds, and must not lock out the next. */
const ATTEMPTS = { running: 1, waiting: 8, what: 'sign-ins of this account' };

/**
 * Checks a caller's identity, by name and password. Every way to sign in with a password ends here, so that failures are counted
 * together. A check of an unknown name takes as long and answers the same.
 */
@Injectable()
export class IdentityCheck {
  private readonly attempts = new KeyedBulkhead(ATTEMPTS);

  constructor(
    private readonly accounts: Accounts,
    private readonly hasher: PasswordHasher,
    private readonly cost: PasswordCost,
    private readonly secondProofs: SecondProofs,
    private readonly attempted: Attempts,
    private readonly browsers: KnownBrowsers,
    private readonly failures: FailedProofs,
    private readonly constantTimeReply: ConstantTimeReply,
    private readonly dataSource: DataSource,
  ) {}

  /** Checks the user of a name. */
  async ofName(name: string, proof: Proof, origin: SecurityOrigin): Promise<CheckOutcome> {
    const begun = performance.now();
    const outcome = await this.checkName(name, proof, origin);
    if (outcome.kind === 'Refused' || outcome.kind === 'LockedOut') await this.constantTimeReply.next(begun);
    return outcome;
  }

  private async checkName(name: string, proof: Proof, origin: SecurityOrigin): Promise<CheckOutcome> {
    const { manager } = this.dataSource;
    const account = await this.accounts.findByName(manager, name);
    const normalizedName = normalizeName(name.trim());
    const familiarity = await this.browsers.familiarityOf(origin.visitor);
    const attempt = attemptOf(familiarity, account?.id ?? null, origin);
    const key = `${account?.id ?? normalizedName} ${attempt.source.key}`;
    if (account === null) return this.attempts.run(key, () => this.ofNobody(normalizedName, proof, attempt));
    const outcome = await this.attempts.run(key, () => this.ofAccount(account, proof, attempt));
    if (outcome.kind !== 'Accepted') return outcome;
    if (account.suspendedAt !== null) {
      await this.failures.noteSuspended(account, origin);
      return { kind: 'Suspended' };
    }
    return account.emailConfirmed || !this.accounts.mustBeConfirmed ? outcome : { kind: 'EmailNotConfirmed', account };
  }

  /** Checks the user of an open session again, by the password or by a code of the authenticator app. */
  again(account: Account, sessionId: string, proof: Partial<Proof>, origin: SecurityOrigin): Promise<CheckOutcome> {
    const source = sourceOfSession(sessionId);
    const attempt = { source, passwordSource: { source: source.key, isKnown: true }, origin };
    return this.attempts.run(`${account.id} ${source.key}`, () => this.ofSession(account, proof, attempt));
  }

  private async ofSession(account: Account, proof: Partial<Proof>, attempt: Attempt): Promise<CheckOutcome> {
    const { source, origin } = attempt;
    const start = await this.attempted.begin({ userId: account.id }, source);
    if (!start.mayTry) return { kind: 'LockedOut', until: start.lockedUntil };
    const { password, twoFactorCode } = proof;
    const isRight =
      password === undefined
        ? await this.secondProofs.isCodeOf(account, twoFactorCode ?? '')
        : await this.isPasswordOf(account, password, attempt);
    if (!isRight)
      return this.failures.record(account, origin, source, 'ProofFailed', password === undefined ? 'wrong code' : 'wrong password');
    await this.attempted.succeeded(account.id, source);
    return { kind: 'Accepted', account };
  }

  private async ofAccount(account: Account, proof: Proof, attempt: Attempt): Promise<CheckOutcome> {
    const { password } = proof;
    const { source, origin } = attempt;
    const start = await this.attempted.begin({ userId: account.id }, source);
    if (!start.mayTry) return { kind: 'LockedOut', until: start.lockedUntil };
    if (!(await this.isPasswordOf(account, password, attempt)))
      return this.failures.record(account, origin, source, 'SignInFailed', 'wrong password');
    if (account.twoFactorEnabled) {
      const second = await this.secondProofs.check(account, proof, origin);
      if (second === 'missing') {
        await this.attempted.withdraw({ userId: account.id }, source);
        return { kind: 'TwoFactorRequired' };
      }
      if (second === 'wrong') {
        const refused = await this.failures.record(account, origin, source, 'SignInFailed', 'wrong code');
        return refused.kind === 'Refused' ? { ...refused, isCodeWrong: true } : refused;
      }
    }
    await this.attempted.succeeded(account.id, source);
    if (account.passwordHash !== null && this.cost.differsFromThatOf(account.passwordHash)) {
      const rehashed = await this.hasher.hash(attempt.passwordSource, password);
      await this.accounts.rehash(this.dataSource.manager, account, rehashed);
    }
    return { kind: 'Accepted', account };
  }

  private async ofNobody(normalizedName: string, { password }: Proof, attempt: Attempt): Promise<CheckOutcome> {
    const subject = { unknownName: normalizedName };
    const start = await this.attempted.begin(subject, attempt.source);
    if (!start.mayTry) return { kind: 'LockedOut', until: start.lockedUntil };
    try {
      await this.matches(password, null, attempt);
    } catch (error) {
      await this.attempted.withdraw(subject, attempt.source);
      throw error;
    }
    const until = await this.attempted.failed(subject, attempt.source);
    return until === null ? { kind: 'Refused' } : { kind: 'LockedOut', until };
  }

  /**
   * Compares the password of an attempt that has begun. One that is turned away, because too many wait, proves nothing and does not count.
   */
  private async isPasswordOf({ id, passwordHash }: Account, password: string, attempt: Attempt): Promise<boolean> {
    try {
      return await this.matches(password, passwordHash, attempt);
    } catch (error) {
      await this.attempted.withdraw({ userId: id }, attempt.source);
      throw error;
    }
  }

  /** A text that is longer than any password is not hashed. */
  private async matches(password: string, stored: string | null, { passwordSource }: Attempt): Promise<boolean> {
    const isPossible = password.length <= MAXIMUM_PASSWORD_LENGTH;
    return (await this.hasher.matches(passwordSource, isPossible ? password : '', stored)) && isPossible;
  }
}

/** An attempt to sign in. The order of waiting depends on the browser and the address alone: the wait does not tell which names exist. */
function attemptOf({ userIds, isKnown }: Familiarity, userId: string | null, origin: SecurityOrigin): Attempt {
  const { visitor } = origin;
  const source = sourceOfVisitor(visitor, userId !== null && userIds.has(userId));
  const passwordSource =
    userIds.size > 0 && visitor.browser !== null
      ? passwordSourceOfBrowser(visitor.browser)
      : passwordSourceAt(visitor.remoteAddress, isKnown);
  return { source, passwordSource, origin };
}
