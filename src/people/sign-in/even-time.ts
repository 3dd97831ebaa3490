import { setTimeout as delay } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

/**
 * The time at which refusals of a sign-in are answered: after a multiple of so many milliseconds. What is written about the failure of a
 * known user takes some milliseconds, which would tell that there is one.
 */
@Injectable()
export class EvenTime {
  /** Milliseconds between two moments at which a refusal may be answered. */
  get stepMs(): number {
    return 250;
  }

  /** Waits from an attempt's begin (`performance.now()`) to the next moment at which a refusal may be answered. */
  async next(begun: number): Promise<void> {
    await delay(this.stepMs - ((performance.now() - begun) % this.stepMs));
  }
}
