import { Injectable } from '@nestjs/common';

import { Settings } from '../config/settings.js';

const MINUTE_MS = 60_000;

/** What an attempt to prove an identity may do. */
export type AttemptStart = { readonly mayTry: true } | { readonly mayTry: false; readonly lockedUntil: Date };

/** After how many failures a lock-out begins, and when it ends. */
@Injectable()
export class LockoutRule {
  constructor(private readonly settings: Settings) {}

  get failureLimit(): number {
    return this.settings.appOptions.signInFailureLimit;
  }

  /** When a lock-out ends that begins now. */
  endOfOneFrom(now: Date): Date {
    return new Date(now.getTime() + this.settings.appOptions.signInLockoutMinutes * MINUTE_MS);
  }
}
