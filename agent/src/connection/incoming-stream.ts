/**
 * Items that may wait for the reader before the socket is paused. More of them would outlive the short collections of garbage, and then stay in
 * memory for long: 32 pieces of a file took 30 MiB.
 */
const HIGH_WATER_ITEMS = 8;
const LOW_WATER_ITEMS = 2;

/** The socket that the items come from. */
export interface Holdable {
  pause(): void;
  resume(): void;
}

/**
 * Turns items that the socket pushes into items that a reader pulls. While the reader is slow the socket is paused, so that the
 * sender slows down and memory stays flat.
 */
export class IncomingStream<T> implements AsyncIterable<T> {
  private readonly items: T[] = [];
  private outcome: { readonly error: unknown } | 'complete' | undefined;
  private held = false;
  private wake: (() => void) | undefined;

  constructor(
    private readonly socket: Holdable,
    /** Called when the reader stops before the end. */
    private readonly cancel: () => void,
  ) {}

  next(item: T): void {
    this.items.push(item);
    if (!this.held && this.items.length >= HIGH_WATER_ITEMS) {
      this.held = true;
      this.socket.pause();
    }
    this.wake?.();
  }

  complete(): void {
    this.outcome ??= 'complete';
    this.wake?.();
  }

  error(error: unknown): void {
    this.outcome ??= { error };
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    try {
      for (;;) {
        const item = this.items.shift();
        if (this.held && this.items.length <= LOW_WATER_ITEMS) this.release();
        if (item !== undefined) yield item;
        else if (this.outcome === 'complete') return;
        else if (this.outcome !== undefined) throw this.outcome.error;
        else await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      if (this.outcome === undefined) this.cancel();
      this.release();
    }
  }

  private release(): void {
    if (!this.held) return;
    this.held = false;
    this.socket.resume();
  }
}
