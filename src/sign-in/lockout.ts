import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { BoundedMap } from '../common/bounded-map.js';
import { Clock } from '../common/clock.js';
import { Settings } from '../config/settings.js';

/** What an attempt to prove an identity may do. */
export type AttemptStart = { readonly mayTry: true } | { readonly mayTry: false; readonly lockedUntil: Date };

interface Unknown {
  failures: number;
  lockedUntil: number;
}

const MINUTE_MS = 60_000;
/** Most names without an account whose failures are counted. The oldest are dropped first. */
const MAXIMUM_UNKNOWN_NAMES = 10_000;

/** Counts an attempt before its outcome is known, so that parallel attempts cannot exceed the limit. Not while the account is locked. */
const BEGIN = `
  UPDATE users SET access_failed_count = access_failed_count + 1
  WHERE id = $1 AND (lockout_end IS NULL OR lockout_end <= $2) AND (NOT lockout_enabled OR access_failed_count < $3)
  RETURNING access_failed_count AS failures`;

const LOCK = `
  UPDATE users SET lockout_end = $3, access_failed_count = 0
  WHERE id = $1 AND lockout_enabled AND access_failed_count >= $4 AND (lockout_end IS NULL OR lockout_end <= $2)
  RETURNING lockout_end AS "lockedUntil"`;

/**
 * Locks an account for some minutes after too many failed sign-ins, codes included, wherever they come from. Names that nobody has are
 * locked in the same way, in the memory of this process, so that a refusal does not tell whether there is an account.
 */
@Injectable()
export class Lockout {
  private readonly unknown = new BoundedMap<string, Unknown>(MAXIMUM_UNKNOWN_NAMES);

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Whether an account is locked, for ways of signing in in which nothing is guessed: they count no attempts. */
  async isLocked(userId: string): Promise<boolean> {
    const until = await this.lockedUntil(userId);
    return until !== null && until > this.clock.now();
  }

  /** Begins an attempt on an account. It counts as failed until {@link succeeded}. */
  async begin(userId: string): Promise<AttemptStart> {
    const now = this.clock.now();
    const [counted] = await this.dataSource.query<[unknown[], number]>(BEGIN, [userId, now, this.limit]);
    if (counted.length > 0) return { mayTry: true };
    return { mayTry: false, lockedUntil: (await this.lock(userId)) ?? (await this.lockedUntil(userId)) ?? now };
  }

  /** Ends an attempt that failed; returns until when the account is locked, if this failure locked it. */
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

  /** Begins an attempt on a name that nobody has. */
  beginUnknown(normalizedName: string): AttemptStart {
    const lockedUntil = this.unknown.get(normalizedName)?.lockedUntil ?? 0;
    return lockedUntil > this.clock.milliseconds() ? { mayTry: false, lockedUntil: new Date(lockedUntil) } : { mayTry: true };
  }

  /** Ends an attempt on a name that nobody has; returns until when it counts as locked, if this failure locked it. */
  failedUnknown(normalizedName: string): Date | null {
    const entry = this.unknown.get(normalizedName) ?? { failures: 0, lockedUntil: 0 };
    this.unknown.set(normalizedName, entry);
    entry.failures += 1;
    if (entry.failures < this.limit) return null;
    Object.assign(entry, { failures: 0, lockedUntil: this.clock.milliseconds() + this.lockoutMs });
    return new Date(entry.lockedUntil);
  }

  private async lock(userId: string): Promise<Date | null> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + this.lockoutMs);
    const [rows] = await this.dataSource.query<[{ lockedUntil: Date }[], number]>(LOCK, [userId, now, until, this.limit]);
    return rows[0]?.lockedUntil ?? null;
  }

  private async lockedUntil(userId: string): Promise<Date | null> {
    const [row] = await this.dataSource.query<{ lockedUntil: Date | null }[]>(
      'SELECT lockout_end AS "lockedUntil" FROM users WHERE id = $1',
      [userId],
    );
    return row?.lockedUntil ?? null;
  }

  private get limit(): number {
    return this.settings.appOptions.signInFailureLimit;
  }

  private get lockoutMs(): number {
    return this.settings.appOptions.signInLockoutMinutes * MINUTE_MS;
  }
}
