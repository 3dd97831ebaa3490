import { Clock } from '../../../src/platform/common/runtime/clock.js';

/** A clock that follows the real one and can be moved and stopped, so that tests of expiry neither wait nor depend on speed. */
export class TestClock extends Clock {
  private offset = 0;
  private stoppedAt: number | undefined;

  override milliseconds(): number {
    return (this.stoppedAt ?? Date.now()) + this.offset;
  }

  /** From now on, only `advance` moves the clock. */
  stop(): void {
    this.stoppedAt = Date.now();
  }

  /** Moves the clock forward by a number of milliseconds. */
  advance(milliseconds: number): void {
    this.offset += milliseconds;
  }
}
