/** Unacknowledged bytes from which on nothing new is sent. */
const WINDOW_BYTES = 131_070;
/** Longest wait for acknowledgements, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Limit of the bytes that a side has sent and the other one has not yet acknowledged. A receiver acknowledges a message when it has dealt
 * with it, so that a slow one slows the sender.
 */
export class SendWindow {
  private bytes = 0;
  private waiting: (() => void)[] = [];
  private latencyTicks: bigint | null = null;

  /** `now` is the sender's clock, whose times the acknowledgements bring back. `longestWaitMs` is for tests. */
  constructor(
    private readonly now: () => bigint,
    private readonly longestWaitMs = LONGEST_WAIT_MS,
  ) {}

  /** True if nothing new may be sent. */
  get isFull(): boolean {
    return this.bytes >= WINDOW_BYTES;
  }

  /** Bytes that are not acknowledged. */
  get unacknowledgedBytes(): number {
    return this.bytes;
  }

  /** Time from sending to the last acknowledgement, in the unit of the clock; null before the first one. */
  get latency(): bigint | null {
    return this.latencyTicks;
  }

  /** Counts a sent message, unless it is an acknowledgement. */
  sent(size: number): void {
    this.bytes += size;
  }

  /** Takes an acknowledgement. Sizes that cannot be are counted as what is left. */
  acknowledged({ receivedSize, sendTimestamp }: { readonly receivedSize: number; readonly sendTimestamp: bigint }): void {
    this.bytes = Math.max(0, this.bytes - Math.max(0, receivedSize));
    this.latencyTicks = this.now() - sendTimestamp;
    if (!this.isFull) this.open();
  }

  /** Waits until the window is open. False if it did not open in time: the other side has stopped to acknowledge. */
  async whenOpen(): Promise<boolean> {
    if (!this.isFull) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((each) => each !== opened);
        resolve(false);
      }, this.longestWaitMs);
      const opened = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      this.waiting.push(opened);
    });
  }

  /** Lets everything go on that waits: the session is over. */
  close(): void {
    this.open();
  }

  private open(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const opened of waiting) opened();
  }
}
