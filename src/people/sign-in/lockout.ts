import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Clock } from '../../platform/common/runtime/clock.js';
import { type AttemptStart, LockoutRule } from './lockout-rule.js';

/** Counts an attempt before its outcome is known, so that parallel attempts cannot exceed the limit. Not while the account is locked. */
const BEGIN = `
  UPDATE users SET access_failed_count = access_failed_count + 1
  WHERE id = $1 AND (lockout_end IS NULL OR lockout_end <= $2) AND (NOT lockout_enabled OR access_failed_count < $3)
  RETURNING access_failed_count AS failures`;

const LOCK = `
  UPDATE users SET lockout_end = $3, access_failed_count = 0
  WHERE id = $1 AND lockout_enabled AND access_failed_count >= $4 AND (lockout_end IS NULL OR lockout_end <= $2)
  RETURNING lockout_end AS "lockedUntil"`;

/** Locks an account for some minutes after too many failed sign-ins, codes included, from all sources together. */
@Injectable()
export class Lockout {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rule: LockoutRule,
    private readonly clock: Clock,
  ) {}

  /** Begins an attempt on an account. It counts as failed until {@link succeeded}. */
  async begin(userId: string): Promise<AttemptStart> {
    const now = this.clock.now();
    const [counted] = await this.dataSource.query<[unknown[], number]>(BEGIN, [userId, now, this.rule.overallLimit]);
    if (counted.length > 0) return { mayTry: true };
    return { mayTry: false, lockedUntil: (await this.lock(userId)) ?? (await this.lockedUntil(userId)) ?? now };
  }

  /** Ends an attempt that failed; returns the end of the lock-out, if this failure locked the account. */
  failed(userId: string): Promise<Date | null> {
    return this.lock(userId);
  }

  /** Ends an attempt that succeeded: earlier failures are forgotten. */
  async succeeded(userId: string): Promise<void> {
    await this.dataSource.query('UPDATE users SET access_failed_count = 0 WHERE id = $1', [userId]);
  }

  /** Takes back an attempt that neither failed nor succeeded: something else is needed first. */
  async withdraw(userId: string): Promise<void> {
    await this.dataSource.query('UPDATE users SET access_failed_count = GREATEST(access_failed_count - 1, 0) WHERE id = $1', [userId]);
  }

  private async lock(userId: string): Promise<Date | null> {
    const now = this.clock.now();
    const parameters = [userId, now, this.rule.endOfOneFrom(now), this.rule.overallLimit];
    const [rows] = await this.dataSource.query<[{ lockedUntil: Date }[], number]>(LOCK, parameters);
    return rows[0]?.lockedUntil ?? null;
  }

  private async lockedUntil(userId: string): Promise<Date | null> {
    const [row] = await this.dataSource.query<{ lockedUntil: Date | null }[]>(
      'SELECT lockout_end AS "lockedUntil" FROM users WHERE id = $1',
      [userId],
    );
    return row?.lockedUntil ?? null;
  }
}
