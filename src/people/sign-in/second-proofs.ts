import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { AccountMails } from '../mail/account-mails.js';
import { SecondFactor, type SecondProof } from '../two-factor/second-factor.js';
import type { Account } from '../users/accounts.js';

/** Checks what users prove besides their password, and tells them when a recovery code was used. */
@Injectable()
export class SecondProofs {
  constructor(
    private readonly secondFactor: SecondFactor,
    private readonly securityLog: SecurityLog,
    private readonly mails: AccountMails,
    private readonly dataSource: DataSource,
  ) {}

  /** Checks a code of the authenticator app. */
  isCodeOf({ id }: Account, code: string): Promise<boolean> {
    return this.secondFactor.acceptsCode(id, code);
  }

  /** Checks a recovery code, which is used up by that, or else a code of the authenticator app. */
  async check(
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
    return (await this.isCodeOf(account, twoFactorCode)) ? 'right' : 'wrong';
  }
}
