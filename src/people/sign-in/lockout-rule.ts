import { Injectable } from '@nestjs/common';

import { Settings } from '../../platform/config/settings.js';

const MINUTE_MS = 60_000;
/** Number of sources that may use up their failures before an account is locked for all. */
const SOURCES_OF_OVERALL_LIMIT = 10;

/** Permission to try a proof of identity, or the end of the lock-out. */
export type AttemptStart = { readonly mayTry: true } | { readonly mayTry: false; readonly lockedUntil: Date };

/** Number of failures before a lock-out, and its end. */
@Injectable()
export class LockoutRule {
  constructor(private readonly settings: Settings) {}

  /** Failures from one source. */
  get failureLimit(): number {
    return this.settings.appOptions.signInFailureLimit;
  }

  /** Failures from all sources together. */
  get overallLimit(): number {
    return this.failureLimit * SOURCES_OF_OVERALL_LIMIT;
  }

  /** Returns the end of a lock-out that begins now. */
  endOfOneFrom(now: Date): Date {
    return new Date(now.getTime() + this.settings.appOptions.signInLockoutMinutes * MINUTE_MS);
  }
}
