import { setTimeout as delay } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

/**
 * Delays refusals of a sign-in to a multiple of so many milliseconds: writing the failure of a known user takes some milliseconds,
 * which would tell that the user exists.
 */
@Injectable()
export class ConstantTimeReply {
  /** Milliseconds between two moments at which a refusal may be answered. */
  get stepMs(): number {
    return 250;
  }

  /** Waits from an attempt's begin (`performance.now()`) to the next moment at which a refusal may be answered. */
  async next(begun: number): Promise<void> {
    await delay(this.stepMs - ((performance.now() - begun) % this.stepMs));
  }
}
