import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { AccountMails } from '../mail/account-mails.js';
import type { Account } from '../users/accounts.js';
import type { AttemptSource } from './attempt-source.js';
import { Attempts } from './attempts.js';

/** Outcome of a failed proof. */
export type FailedProof = { readonly kind: 'Refused' } | { readonly kind: 'LockedOut'; readonly until: Date };

type FailureKind = 'SignInFailed' | 'ProofFailed';

/** Records failed proofs of known users: in the security log, and as failures that may lock their source, or the account. */
@Injectable()
export class FailedProofs {
  constructor(
    private readonly attempts: Attempts,
    private readonly securityLog: SecurityLog,
    private readonly mails: AccountMails,
    private readonly dataSource: DataSource,
  ) {}

  /** Notes one that was no guess, and locks nothing. */
  async note(account: Account, origin: SecurityOrigin, kind: FailureKind, detail: string): Promise<void> {
    await this.securityLog.write(this.dataSource.manager, { user: account, kind, detail }, origin);
  }

  /** Notes a sign-in of a suspended user, who has proved to be there. */
  noteSuspended(account: Account, origin: SecurityOrigin): Promise<void> {
    return this.note(account, origin, 'SignInFailed', 'suspended');
  }

  /** Records a wrong guess. Its attempt must have begun. */
  async record(account: Account, origin: SecurityOrigin, source: AttemptSource, kind: FailureKind, detail: string): Promise<FailedProof> {
    const { manager } = this.dataSource;
    await this.note(account, origin, kind, detail);
    const until = await this.attempts.failed({ userId: account.id }, source);
    if (until === null) return { kind: 'Refused' };
    await this.securityLog.write(manager, { user: account, kind: 'LockedOut' }, origin);
    this.mails.signInLocked(account, until, origin);
    return { kind: 'LockedOut', until };
  }
}
