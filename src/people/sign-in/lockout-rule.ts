import { Injectable } from '@nestjs/common';

import { Settings } from '../../platform/config/settings.js';

const MINUTE_MS = 60_000;
/** How many sources may use up their failures before an account is locked for all. */
const SOURCES_OF_OVERALL_LIMIT = 10;

/** What an attempt to prove an identity may do. */
export type AttemptStart = { readonly mayTry: true } | { readonly mayTry: false; readonly lockedUntil: Date };

/** After how many failures a lock-out begins, and when it ends. */
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

  /** When a lock-out ends that begins now. */
  endOfOneFrom(now: Date): Date {
    return new Date(now.getTime() + this.settings.appOptions.signInLockoutMinutes * MINUTE_MS);
  }
}
