import { setTimeout as delay } from 'node:timers/promises';

import { messageOf } from '../../../src/platform/common/errors/errors.js';

/** Pause between two pieces of work, in milliseconds: the load leaves processor time to what it is for. */
const PAUSE_MS = 40;

/** Failures that are kept. */
const KEPT_FAILURES = 20;

/** Work that is done again and again until it is stopped. Work that fails was not acknowledged. */
export class Repetition {
  /** Number of pieces of work that were acknowledged. */
  done = 0;
  /** The first failures, with their times since the start in milliseconds. */
  readonly failures: string[] = [];
  private readonly begun = performance.now();
  private hasStopped = false;
  private readonly ended: Promise<void>;

  /** `act` does the piece of work with that number, from 1, and returns true if it was acknowledged. */
  constructor(
    readonly name: string,
    act: (number: number) => Promise<boolean>,
  ) {
    this.ended = this.run(act);
  }

  /** Ends with the piece of work that is under way. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    await this.ended;
  }

  private async run(act: (number: number) => Promise<boolean>): Promise<void> {
    for (let number = 1; !this.hasStopped; number += 1) {
      try {
        if (await act(number)) this.done += 1;
        else this.failed('was not acknowledged');
      } catch (error) {
        this.failed(messageOf(error));
      }
      await delay(PAUSE_MS);
    }
  }

  private failed(reason: string): void {
    if (this.failures.length >= KEPT_FAILURES) return;
    this.failures.push(`${this.name}, after ${Math.round(performance.now() - this.begun)} ms: ${reason}`);
  }
}
