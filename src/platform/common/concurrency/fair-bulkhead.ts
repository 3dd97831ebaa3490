import { tooMany, type BulkheadLimits } from './bulkhead.js';
import { shareAlone, shareBeside } from './shares.js';
import type { WorkUnderWay } from './work-metrics.js';

/** Limits on the work of a fair bulkhead. */
export interface FairLimits extends BulkheadLimits {
  /** Number of works of one user that start beside those of others, where that is less than half. */
  readonly beside?: number;
}

/** The works of one user: how many run, and those that wait, in order of arrival. */
interface Works {
  running: number;
  readonly waiting: Set<() => void>;
  /** True if there was no work at the last sweep. */
  wasIdle: boolean;
}

/**
 * A bulkhead that several users share, such as tenants. One alone may use nearly all of it. Beside others, none starts more once it has
 * half. A free place goes to the user that runs least, so that nobody waits behind the queue of another. A user that had work a moment ago
 * still counts: one that asks for one thing after the other keeps its share.
 */
export class FairBulkhead {
  private readonly users = new Map<string, Works>();
  private running = 0;
  private waiting = 0;
  private sweep: NodeJS.Timeout | undefined;

  /** @param rememberedMs how long a user without work counts as there, in milliseconds; 0: not at all */
  constructor(
    private readonly limits: FairLimits,
    private readonly rememberedMs = 0,
  ) {}

  /** Works that run, and those that wait, of all users. */
  get underWay(): WorkUnderWay {
    return { running: this.running, waiting: this.waiting };
  }

  /** Number of users. */
  get size(): number {
    return this.users.size;
  }

  /**
   * Runs the work of a user when its turn comes.
   * @param signal ends the wait: the work is not started any more and the signal's reason is thrown
   * @throws DomainError 503 with `Retry-After` when too many wait already
   */
  async run<T>(user: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (!this.tryEnter(user)) await this.enter(user, signal);
    try {
      return await work();
    } finally {
      this.leave(user);
    }
  }

  /** Takes a place if one is free for the user. Each place that was taken is given back by {@link leave}. */
  tryEnter(user: string): boolean {
    const works = this.users.get(user) ?? newWorks();
    if (this.running === this.limits.running || works.running >= this.runningOf(user)) return false;
    this.users.set(user, works);
    works.running += 1;
    works.wasIdle = false;
    this.running += 1;
    return true;
  }

  /** Waits for a place, when none is free. Ends and throws as {@link run}. */
  enter(user: string, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    const works = this.users.get(user) ?? newWorks();
    if (this.waiting >= this.limits.waiting || works.waiting.size >= (this.isAlone(user) ? shareAlone : shareBeside)(this.limits.waiting)) {
      return Promise.reject(tooMany(this.limits.what));
    }
    this.users.set(user, works);
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        works.waiting.delete(start);
        this.waiting -= 1;
        this.forgetIfIdle(user, works);
        reject(signal?.reason as Error);
        this.startNext();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      works.waiting.add(start);
      this.waiting += 1;
    });
  }

  /** Gives a place back. Works of others may start. */
  leave(user: string): void {
    const works = this.users.get(user);
    if (works === undefined) throw new Error('A place was given back that was not taken.');
    works.running -= 1;
    this.running -= 1;
    this.forgetIfIdle(user, works);
    this.startNext();
  }

  /** Starts works while any may start: a user who is alone now may have more than before. */
  private startNext(): void {
    while (this.waiting > 0 && this.running < this.limits.running) {
      const next = this.next();
      if (next === null) return;
      const [user, works] = next;
      const [start] = works.waiting;
      if (start === undefined) return;
      works.waiting.delete(start);
      this.waiting -= 1;
      works.running += 1;
      this.running += 1;
      // Among those who run equally much, the one that got its turn last comes last.
      this.users.delete(user);
      this.users.set(user, works);
      start();
    }
  }

  /** Returns the user that waits, may run more and runs least, with its works; null if there is none. */
  private next(): [string, Works] | null {
    let least: [string, Works] | null = null;
    for (const [user, works] of this.users) {
      if (works.waiting.size === 0 || (least !== null && works.running >= least[1].running)) continue;
      if (works.running < this.runningOf(user)) least = [user, works];
    }
    return least;
  }

  private runningOf(user: string): number {
    const { running, beside = running } = this.limits;
    return this.isAlone(user) ? shareAlone(running) : Math.min(beside, shareBeside(running));
  }

  private isAlone(user: string): boolean {
    return this.users.size === (this.users.has(user) ? 1 : 0);
  }

  private forgetIfIdle(user: string, works: Works): void {
    if (!isIdle(works)) return;
    if (this.rememberedMs === 0) this.users.delete(user);
    else this.sweep ??= setTimeout(() => this.forgetIdle(), this.rememberedMs).unref();
  }

  /** Forgets users that had no work at the last sweep either. */
  private forgetIdle(): void {
    this.sweep = undefined;
    let areIdle = false;
    for (const [user, works] of this.users) {
      if (works.wasIdle && isIdle(works)) this.users.delete(user);
      works.wasIdle = isIdle(works);
      areIdle ||= works.wasIdle;
    }
    if (areIdle && this.users.size > 0) this.sweep = setTimeout(() => this.forgetIdle(), this.rememberedMs).unref();
    this.startNext();
  }
}

function newWorks(): Works {
  return { running: 0, waiting: new Set(), wasIdle: false };
}

function isIdle({ running, waiting }: Works): boolean {
  return running === 0 && waiting.size === 0;
}
