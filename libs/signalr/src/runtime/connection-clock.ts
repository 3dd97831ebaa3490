/**
 * The time by which keep-alive and silence are measured. It is read once per sweep, not per message; and because it
 * advances by a bounded step, a process that was suspended does not take its own sleep for the silence of its clients.
 */
export class ConnectionClock {
  /** Milliseconds since the first reading. */
  time = 0;
  #lastReading: number | undefined;

  constructor(private readonly maximumStepMs: number) {}

  /** Takes a new reading of the real clock, in milliseconds. */
  advance(now: number): void {
    const elapsed = this.#lastReading === undefined ? 0 : now - this.#lastReading;
    this.#lastReading = now;
    this.time += Math.min(Math.max(elapsed, 0), this.maximumStepMs);
  }
}
