import { Clock } from '../../src/common/clock.js';

/** A clock that runs with the real one and can be moved, so that expiry needs no waiting. */
export class TestClock extends Clock {
  private offset = 0;

  override milliseconds(): number {
    return Date.now() + this.offset;
  }

  /** Moves the clock forward by a number of milliseconds. */
  advance(milliseconds: number): void {
    this.offset += milliseconds;
  }
}
