import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../platform/common/runtime/clock.js';
import { type AttemptStart, LockoutRule } from './lockout-rule.js';
import { SourceFailures } from './source-failures.js';
import { UnknownNamesRepository } from './unknown-names.repository.js';

const DAY_MS = 86_400_000;
/** Time for which failures are remembered after the last one. */
const MEMORY_MS = 30 * DAY_MS;
/** Most names that a cleanup leaves. It drops those whose last failure is the longest ago. */
const MAXIMUM_NAMES = 200_000;
/** Names that one statement deletes. Small batches keep sign-ins from waiting. */
const REMOVAL_BATCH = 5000;

/**
 * Locks unknown names as {@link Lockout} locks accounts, on every node and over restarts, so that a refusal does not tell whether
 * there is an account.
 */
@Injectable()
export class UnknownNames {
  constructor(
    private readonly repository: UnknownNamesRepository,
    private readonly sources: SourceFailures,
    private readonly rule: LockoutRule,
    private readonly clock: Clock,
  ) {}

  /** Begins an attempt. It counts as failed unless it is withdrawn. */
  async begin(normalizedName: string): Promise<AttemptStart> {
    const nameHash = UnknownNames.hashOf(normalizedName);
    const now = this.clock.now();
    if (await this.repository.begin(nameHash, now, this.rule.overallLimit)) return { mayTry: true };
    return { mayTry: false, lockedUntil: (await this.lock(nameHash)) ?? (await this.repository.lockedUntil(nameHash)) ?? now };
  }

  /** Ends an attempt; returns the end of the lock-out, if this failure locked the name. */
  failed(normalizedName: string): Promise<Date | null> {
    return this.lock(UnknownNames.hashOf(normalizedName));
  }

  /** Takes back an attempt whose password was not compared. */
  withdraw(normalizedName: string): Promise<void> {
    return this.repository.withdraw(UnknownNames.hashOf(normalizedName));
  }

  /**
   * Deletes names without a failure in the last 30 days, and those beyond the most that are kept, with the counts of sources as old;
   * returns how many rows.
   */
  async removeOld(signal: AbortSignal): Promise<number> {
    const old = new Date(this.clock.milliseconds() - MEMORY_MS);
    const surplus = await this.repository.failureAfter(MAXIMUM_NAMES);
    const last = surplus !== null && surplus > old ? surplus : old;
    let removed = 0;
    for (let batch = REMOVAL_BATCH; batch === REMOVAL_BATCH && !signal.aborted; removed += batch) {
      batch = await this.repository.remove(last, REMOVAL_BATCH);
    }
    for (let batch = REMOVAL_BATCH; batch === REMOVAL_BATCH && !signal.aborted; removed += batch) {
      batch = await this.sources.remove(last, REMOVAL_BATCH);
    }
    return removed;
  }

  private lock(nameHash: number): Promise<Date | null> {
    const now = this.clock.now();
    return this.repository.lock(nameHash, now, this.rule.endOfOneFrom(now), this.rule.overallLimit);
  }

  /** The number by which a name is counted: the first 32 bits of its SHA-256. */
  static hashOf(normalizedName: string): number {
    return createHash('sha256').update(normalizedName).digest().readInt32BE(0);
  }
}
