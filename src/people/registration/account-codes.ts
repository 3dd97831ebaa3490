import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { invalid } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { formatKey, hashSecret, newSecret, parseKey, secretMatches } from '../../platform/common/identifiers/secret.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import type { InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { Accounts, type Account } from '../users/accounts.js';
import { AccountCode, type CodePurpose } from './account-code.entity.js';

/** A new code. Only the reader of the mail sees it. */
export interface IssuedCode {
  readonly code: string;
  readonly validUntil: Date;
}

/** The account and purpose of a redeemed code. */
export interface RedeemedCode {
  readonly account: Account;
  readonly purpose: CodePurpose;
  readonly newEmail: string | null;
}

type Tx = InTransaction<{ readonly manager: EntityManager }>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Least time between two mails of the same kind to an account. */
export const MAIL_PAUSE_MS = 60_000;
/** Longest code that is looked at; every code has 119 characters. */
export const MAXIMUM_CODE_LENGTH = 200;

/** One sentence for every fault of a code. */
const UNUSABLE = 'This link no longer works: it was used, replaced by a newer one, or is older than a day. Request a new one.';

/** The codes that confirm an address or reset a password: single use, for a day, and until the user's stamp changes. */
@Injectable()
export class AccountCodes {
  constructor(
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a code, which replaces the one of the same purpose; null when that was made so recently that its mail may still be on its way.
   * The account's row must be locked, so that the stamp is the present one and calls take turns.
   */
  async issue({ manager }: Tx, account: Account, purpose: CodePurpose, newEmail: string | null = null): Promise<IssuedCode | null> {
    const now = this.clock.now();
    const last = await manager.findOneBy(AccountCode, { userId: account.id, purpose });
    if (last !== null && last.createdAt.getTime() > now.getTime() - MAIL_PAUSE_MS) return null;
    const secret = newSecret();
    const id = newGuid();
    const expiresAt = new Date(now.getTime() + DAY_MS);
    await manager.delete(AccountCode, { userId: account.id, purpose });
    await manager.insert(AccountCode, {
      id,
      createdAt: now,
      userId: account.id,
      purpose,
      hashedCode: hashSecret(secret),
      securityStamp: account.securityStamp,
      newEmail,
      expiresAt,
    });
    return { code: formatKey(id, secret), validUntil: expiresAt };
  }

  /** Checks a code without using it up, before expensive work is done for it; 400 as {@link redeem}. */
  async require(manager: EntityManager, code: string, purposes: readonly CodePurpose[]): Promise<void> {
    await this.find(manager, code, purposes);
  }

  /** Uses a code up, and locks its account. 400 unless it is valid for one of the purposes; of parallel calls one succeeds. */
  async redeem({ manager }: Tx, code: string, purposes: readonly CodePurpose[]): Promise<RedeemedCode> {
    const { id, userId, purpose, securityStamp, newEmail } = await this.find(manager, code, purposes);
    const account = await this.accounts.lock({ manager }, userId);
    const { affected } = await manager.delete(AccountCode, { id });
    if (affected !== 1 || account.securityStamp !== securityStamp) throw invalid(UNUSABLE);
    return { account, purpose, newEmail };
  }

  private async find(manager: EntityManager, code: string, purposes: readonly CodePurpose[]): Promise<AccountCode> {
    const key = code.length > MAXIMUM_CODE_LENGTH ? null : parseKey(code.trim());
    const stored = key === null ? null : await manager.findOneBy(AccountCode, { id: key.credentialId });
    if (key === null || stored === null || !secretMatches(key.secret, stored.hashedCode)) throw invalid(UNUSABLE);
    if (!purposes.includes(stored.purpose) || stored.expiresAt.getTime() <= this.clock.milliseconds()) throw invalid(UNUSABLE);
    return stored;
  }
}
