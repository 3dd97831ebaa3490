/**
 * The time that keep-alive and time-outs go by. It is read once per sweep instead of once per message. Each step is limited:
 * after the process was suspended, its own sleep does not count as silence of its clients.
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
