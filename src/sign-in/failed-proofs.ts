import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { AccountMails } from '../mail/account-mails.js';
import { SecurityLog, type SecurityOrigin } from '../security-log/security-log.js';
import type { Account } from '../users/accounts.js';
import { Lockout } from './lockout.js';

/** What a failed proof comes to. */
export type FailedProof = { readonly kind: 'Refused' } | { readonly kind: 'LockedOut'; readonly until: Date };

/** Records failed proofs of known users: in the security log, and as failures that may lock the account. */
@Injectable()
export class FailedProofs {
  constructor(
    private readonly lockout: Lockout,
    private readonly securityLog: SecurityLog,
    private readonly mails: AccountMails,
    private readonly dataSource: DataSource,
  ) {}

  /** Records one. Its attempt must have begun. */
  async record(account: Account, origin: SecurityOrigin, kind: 'SignInFailed' | 'ProofFailed', detail: string): Promise<FailedProof> {
    const { manager } = this.dataSource;
    await this.securityLog.write(manager, { user: account, kind, detail }, origin);
    const until = await this.lockout.failed(account.id);
    if (until === null) return { kind: 'Refused' };
    await this.securityLog.write(manager, { user: account, kind: 'LockedOut' }, origin);
    this.mails.signInLocked(account, until, origin);
    return { kind: 'LockedOut', until };
  }
}
