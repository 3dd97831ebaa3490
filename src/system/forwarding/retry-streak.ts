const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 300_000;

/** The attempts at one destination since the last success. */
export class RetryStreak {
  private failures = 0;
  private retryAt = 0;

  /** Attempts that failed. */
  get length(): number {
    return this.failures;
  }

  /** True if the next attempt may begin. */
  isDue(now: number): boolean {
    return now >= this.retryAt;
  }

  /** Counts a failure. The wait for the next attempt doubles, up to five minutes. */
  fail(now: number): void {
    this.retryAt = now + Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.failures);
    this.failures += 1;
  }

  /** Ends the streak. */
  end(): void {
    this.failures = 0;
    this.retryAt = 0;
  }
}
