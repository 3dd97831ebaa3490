import { busy } from './errors.js';

/** How much work a bulkhead takes. */
export interface BulkheadLimits {
  /** How many works run at once. */
  readonly running: number;
  /** How many more may wait for their turn. */
  readonly waiting: number;
  /** What is asked for, as the refusal names it: `passwords`, `changes of permissions in this tenant`. */
  readonly what: string;
}

/**
 * Runs a limited number of works at once and lets a limited number wait, first come first served. More are refused at once, so that
 * one flood of work neither takes all resources nor piles up in memory.
 */
export class Bulkhead {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limits: BulkheadLimits) {}

  /** Whether nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.running === 0 && this.waiting.size === 0;
  }

  /**
   * Runs the work when its turn comes.
   * @param signal ends the wait: the work is not started any more and the signal's reason is thrown
   * @throws DomainError 503 with `Retry-After` when too many wait already
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.enter(signal);
    if (turn !== undefined) await turn;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Takes a place: at once, or when the returned promise resolves. */
  private enter(signal: AbortSignal | undefined): Promise<void> | undefined {
    signal?.throwIfAborted();
    if (this.running < this.limits.running) {
      this.running += 1;
      return undefined;
    }
    if (this.waiting.size >= this.limits.waiting) throw busy(`Too many ${this.limits.what} are under way.`);
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.waiting.delete(start);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.waiting.add(start);
    });
  }

  /** Hands the place on to the work that has waited longest. */
  private leave(): void {
    const next = this.waiting.values().next();
    if (next.done) {
      this.running -= 1;
      return;
    }
    this.waiting.delete(next.value);
    next.value();
  }
}

/** A bulkhead for each key, such as a tenant or a principal: one key's work never waits for another's. */
export class KeyedBulkhead {
  private readonly byKey = new Map<string, Bulkhead>();

  constructor(private readonly limits: BulkheadLimits) {}

  /** How many keys have work under way. */
  get size(): number {
    return this.byKey.size;
  }

  /** As {@link Bulkhead.run}, in the bulkhead of the key. */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    let bulkhead = this.byKey.get(key);
    if (bulkhead === undefined) this.byKey.set(key, (bulkhead = new Bulkhead(this.limits)));
    try {
      return await bulkhead.run(work, signal);
    } finally {
      if (bulkhead.isIdle) this.byKey.delete(key);
    }
  }
}
