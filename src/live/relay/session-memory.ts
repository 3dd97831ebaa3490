import { KeyedCounter } from '../../platform/common/collections/keyed-counter.js';

/** Limits of the ids that are remembered, and the time for which they are. */
export interface MemoryLimits {
  readonly remembered: number;
  readonly rememberedOfPrincipal: number;
  readonly waitMs: number;
}

interface Remembered {
  readonly caller: string;
  readonly until: number;
}

/**
 * Remembers the ids of requested sessions that are over for as long as a half may wait, so that no late half meets another one under them.
 * All are remembered equally long, so the oldest are forgotten first.
 */
export class SessionMemory {
  private readonly over = new Map<string, Remembered>();
  private readonly callers = new KeyedCounter();

  constructor(
    private readonly limits: MemoryLimits,
    private readonly now: () => number,
  ) {}

  /** True if the session was over within that time. */
  has(sessionId: string): boolean {
    const remembered = this.over.get(sessionId);
    return remembered !== undefined && remembered.until > this.now();
  }

  /** True if there is room for another id of a caller, beside those of its `pending` sessions that will need it. */
  hasRoomFor(caller: string, pending: number): boolean {
    this.forgetOld();
    return this.over.size < this.limits.remembered && this.callers.of(caller) + pending < this.limits.rememberedOfPrincipal;
  }

  /** Remembers the id of a session that a caller had requested. */
  add(sessionId: string, caller: string): void {
    this.forgetOld();
    this.over.set(sessionId, { caller, until: this.now() + this.limits.waitMs });
    this.callers.add(caller, 1);
  }

  private forgetOld(): void {
    const now = this.now();
    for (const [sessionId, { caller, until }] of this.over) {
      if (until > now) return;
      this.over.delete(sessionId);
      this.callers.add(caller, -1);
    }
  }
}
