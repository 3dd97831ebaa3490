import { busy, type DomainError } from '../errors/errors.js';
import { countRefusal, type WorkUnderWay } from './work-metrics.js';

/** 503, which is counted: too many works of this name wait. */
export function tooMany(what: string): DomainError {
  countRefusal(what);
  return busy(`Too many ${what} are under way.`);
}

/** Limits on the work of a bulkhead. */
export interface BulkheadLimits {
  /** Number of works that run at once. */
  readonly running: number;
  /** Number of further works that may wait for their turn. */
  readonly waiting: number;
  /** Name of the work in refusals: `passwords`, `changes of permissions in this tenant`. */
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

  /** Works that run, and those that wait. */
  get underWay(): WorkUnderWay {
    return { running: this.running, waiting: this.waiting.size };
  }

  /** True if nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.running === 0 && this.waiting.size === 0;
  }

  /**
   * Runs the work when its turn comes.
   * @param signal ends the wait: the work is not started any more and the signal's reason is thrown
   * @throws DomainError 503 with `Retry-After` when too many wait already
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (!this.tryEnter()) await this.enter(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Takes a place if one is free. Each place that was taken is given back by {@link leave}. */
  tryEnter(): boolean {
    if (this.running === this.limits.running) return false;
    this.running += 1;
    return true;
  }

  /** Waits for a place, when none is free. Ends and throws as {@link run}. */
  enter(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (this.waiting.size >= this.limits.waiting) return Promise.reject(tooMany(this.limits.what));
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
  leave(): void {
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

  /** Number of keys that have work under way. */
  get size(): number {
    return this.byKey.size;
  }

  /** As {@link Bulkhead.run}, in the bulkhead of the key. */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const bulkhead = this.of(key);
    try {
      return await bulkhead.run(work, signal);
    } finally {
      this.forgetIfIdle(key, bulkhead);
    }
  }

  /** As {@link Bulkhead.tryEnter}. */
  tryEnter(key: string): boolean {
    return this.of(key).tryEnter();
  }

  /** As {@link Bulkhead.enter}. */
  async enter(key: string, signal?: AbortSignal): Promise<void> {
    const bulkhead = this.of(key);
    try {
      await bulkhead.enter(signal);
    } finally {
      this.forgetIfIdle(key, bulkhead);
    }
  }

  /** As {@link Bulkhead.leave}. */
  leave(key: string): void {
    const bulkhead = this.of(key);
    bulkhead.leave();
    this.forgetIfIdle(key, bulkhead);
  }

  private of(key: string): Bulkhead {
    let bulkhead = this.byKey.get(key);
    if (bulkhead === undefined) this.byKey.set(key, (bulkhead = new Bulkhead(this.limits)));
    return bulkhead;
  }

  private forgetIfIdle(key: string, bulkhead: Bulkhead): void {
    // Another one may have taken its place by now.
    if (bulkhead.isIdle && this.byKey.get(key) === bulkhead) this.byKey.delete(key);
  }
}
