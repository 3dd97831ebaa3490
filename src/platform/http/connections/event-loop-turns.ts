/**
 * Milliseconds of one turn of the event loop that may go into beginning work. A flood of requests delays the messages of hubs, which take
 * several turns from arrival to answer, by a few times this; requests that cost 0.1 ms lose nothing by it.
 */
const TURN_BUDGET_MS = 1;

/** Number of begun works that leave the list together, because each removal at the front would move the rest. */
const BATCH = 256;

/** Takes the place of work that has begun, so that the list does not keep the request that the work holds. */
const HAS_BEGUN = (): void => undefined;

/**
 * Begins work in the order in which it comes, but only as much in one turn of the event loop as its budget allows. The rest
 * waits for the next turn, so that everything else the process does gets its turn in between.
 */
export class EventLoopTurns {
  private waiting: (() => void)[] = [];
  /** Number of works at the front of `waiting` that have begun. */
  private begun = 0;
  private isOpen = false;
  private endsAt = 0;
  private present = 0;

  /** The number of the present turn. */
  get number(): number {
    this.open();
    return this.present;
  }

  /** True if work may begin at once: none waits, and this turn has time for it. */
  get isFree(): boolean {
    return this.waiting.length === 0 && this.hasTime();
  }

  /** Begins work in a later turn. */
  later(work: () => void): void {
    this.waiting.push(work);
    this.open();
  }

  private hasTime(): boolean {
    return this.open() || performance.now() < this.endsAt;
  }

  /** Opens a turn if none is open, and returns true if it did. */
  private open(): boolean {
    if (this.isOpen) return false;
    this.isOpen = true;
    this.present += 1;
    this.endsAt = performance.now() + TURN_BUDGET_MS;
    setImmediate(this.close);
    return true;
  }

  private readonly close = (): void => {
    this.isOpen = false;
    this.beginNext();
  };

  private readonly beginNext = (): void => {
    if (this.begun === this.waiting.length) {
      this.waiting = [];
      this.begun = 0;
      return;
    }
    if (!this.hasTime()) return;
    this.takeNext()();
    // The part of the work that runs at once counts towards its time.
    queueMicrotask(this.beginNext);
  };

  /** Takes the next work off the list. Under a lasting load the list is never empty, so it must shrink from its front as well. */
  private takeNext(): () => void {
    const work = this.waiting[this.begun];
    this.waiting[this.begun] = HAS_BEGUN;
    this.begun += 1;
    if (this.begun >= BATCH && this.begun * 2 >= this.waiting.length) {
      this.waiting = this.waiting.slice(this.begun);
      this.begun = 0;
    }
    return work;
  }
}
