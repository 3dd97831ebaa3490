import { Injectable } from '@nestjs/common';

import { Clock } from '../../platform/common/runtime/clock.js';
import type { AttemptSource } from './attempt-source.js';
import { LockoutRule, type AttemptStart } from './lockout-rule.js';
import { Lockout } from './lockout.js';
import { SourceFailures } from './source-failures.js';
import { UnknownNames } from './unknown-names.js';

/** Subject of an attempt: an account, or an unknown name. */
export type AttemptSubject = { readonly userId: string } | { readonly unknownName: string };

/**
 * Counts attempts to prove an identity by a password or a code, alike for accounts and for unknown names: by source, and over all
 * sources together. Own sources of a user count for themselves alone, so that others cannot lock the user out of them.
 */
@Injectable()
export class Attempts {
  constructor(
    private readonly sources: SourceFailures,
    private readonly lockout: Lockout,
    private readonly unknownNames: UnknownNames,
    private readonly rule: LockoutRule,
    private readonly clock: Clock,
  ) {}

  /** Begins an attempt. It counts as failed until it succeeds or is withdrawn. */
  async begin(subject: AttemptSubject, source: AttemptSource): Promise<AttemptStart> {
    const key = keyOf(subject);
    const now = this.clock.now();
    if (!(await this.sources.begin(key, source.key, now, this.rule.failureLimit))) {
      const until = (await this.lockSource(key, source)) ?? (await this.sources.lockedUntil(key, source.key));
      return { mayTry: false, lockedUntil: until ?? now };
    }
    if (source.isOwn) return { mayTry: true };
    const overall = 'userId' in subject ? await this.lockout.begin(subject.userId) : await this.unknownNames.begin(subject.unknownName);
    if (!overall.mayTry) await this.sources.withdraw(key, source.key);
    return overall;
  }

  /** Ends an attempt that failed; returns the end of the lock-out, if this failure locked the source or the account. */
  async failed(subject: AttemptSubject, source: AttemptSource): Promise<Date | null> {
    const ofSource = await this.lockSource(keyOf(subject), source);
    if (source.isOwn) return ofSource;
    const overall = 'userId' in subject ? await this.lockout.failed(subject.userId) : await this.unknownNames.failed(subject.unknownName);
    return overall ?? ofSource;
  }

  /** Ends an attempt that succeeded: earlier failures are forgotten. */
  async succeeded(userId: string, source: AttemptSource): Promise<void> {
    await this.sources.forget(userId, source.key);
    if (!source.isOwn) await this.lockout.succeeded(userId);
  }

  /** Takes back an attempt that neither failed nor succeeded. */
  async withdraw(subject: AttemptSubject, source: AttemptSource): Promise<void> {
    await this.sources.withdraw(keyOf(subject), source.key);
    if (source.isOwn) return;
    if ('userId' in subject) await this.lockout.withdraw(subject.userId);
    else await this.unknownNames.withdraw(subject.unknownName);
  }

  private lockSource(key: string, source: AttemptSource): Promise<Date | null> {
    const now = this.clock.now();
    return this.sources.lock(key, source.key, now, this.rule.endOfOneFrom(now), this.rule.failureLimit);
  }
}

function keyOf(subject: AttemptSubject): string {
  return 'userId' in subject ? subject.userId : `name:${UnknownNames.hashOf(subject.unknownName)}`;
}
