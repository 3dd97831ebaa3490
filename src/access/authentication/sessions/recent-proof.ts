import { Injectable } from '@nestjs/common';

import { Clock } from '../../../platform/common/runtime/clock.js';
import { Settings } from '../../../platform/config/settings.js';
import type { Principal } from '../principals/principal.js';

const MINUTE_MS = 60_000;

/**
 * Lifetime of a proof of identity: `StepUpAfterMinutes` after a user signed in, in a browser or a program, or repeated the proof in the
 * browser. Other credentials prove nothing about who uses them.
 */
@Injectable()
export class RecentProof {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** End of the validity of a session's proof, which may be over; null for other credentials. */
  until(principal: Principal): Date | null {
    if (principal.type !== 'User') return null;
    const { credential } = principal;
    if (credential.type !== 'Session' && credential.type !== 'Bearer') return null;
    return new Date(credential.provenAt + this.settings.appOptions.stepUpAfterMinutes * MINUTE_MS);
  }

  /** Checks whether the user of a session has proved their identity recently; null for other credentials. */
  isRecent(principal: Principal): boolean | null {
    const until = this.until(principal);
    return until === null ? null : until.getTime() >= this.clock.milliseconds();
  }
}
