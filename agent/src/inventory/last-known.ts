import { setTimeout as delay } from 'node:timers/promises';

/** Time in which a machine answers, unless something of it is broken. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * Something that the system is asked for, and that it may never answer: a file system of a network that is gone, a process that cannot be
 * looked at, a name server. One reading is under way at a time, and holds nobody up for longer than the given time.
 */
export class LastKnown<T> {
  private reading: Promise<T> | undefined;

  constructor(
    private readonly read: () => Promise<T>,
    /** The value until the first reading has ended. */
    private known: T,
    private readonly withinMs = ANSWER_WITHIN_MS,
  ) {}

  /** The value, or that of the last reading that came to its end while another one takes too long. */
  async value(): Promise<T> {
    this.reading ??= this.readAgain().finally(() => (this.reading = undefined));
    const waiting = new AbortController();
    const tooLate = delay(this.withinMs, undefined, { signal: waiting.signal }).then(() => this.known);
    try {
      return await Promise.race([this.reading, tooLate]);
    } finally {
      waiting.abort();
    }
  }

  private async readAgain(): Promise<T> {
    this.known = await this.read();
    return this.known;
  }
}
