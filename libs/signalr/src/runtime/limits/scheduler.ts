/** A reader that waits for its turn. */
export interface ScheduledReader {
  /** Goes on reading. A reader that is not done then waits in the scheduler again. */
  takeTurn(): void;
}

/** Most messages that one connection reads in a turn of the event loop: some hundred microseconds of work. */
const MESSAGES_PER_TURN = 64;
/** Messages after which a connection floods: a read of the socket brings up to 10,000 frames, which cannot be put off. */
const MESSAGES_OF_A_FLOOD = 1_024;
/** The time after which a connection stops reading in a turn, in milliseconds. Others wait for two such shares at most. */
const SHARE_MS = 0.5;
/** The time that all readers in the scheduler read in one turn together, in milliseconds, independent of their number. */
const ROTA_MS = 2;

/**
 * Keeps connections that send much from delaying the others. In one turn of the event loop each connection reads a limited share of its
 * bytes. Those with more to read wait in the scheduler, where they go on one after the other in the next turns.
 */
export class Scheduler {
  readonly #waiting = new Set<ScheduledReader>();
  #turn = 1;
  #isNextTurnDue = false;

  /** @param now a clock in milliseconds with fractions */
  constructor(readonly now: () => number = (): number => performance.now()) {}

  /** The number of the present turn of the event loop. */
  get turn(): number {
    if (!this.#isNextTurnDue) {
      this.#isNextTurnDue = true;
      setImmediate(this.#nextTurn);
    }
    return this.#turn;
  }

  /** Lets a reader go on in one of the next turns. */
  wait(reader: ScheduledReader): void {
    this.#waiting.add(reader);
  }

  /** Removes a reader that has ended. */
  leave(reader: ScheduledReader): void {
    this.#waiting.delete(reader);
  }

  readonly #nextTurn = (): void => {
    this.#turn += 1;
    this.#isNextTurnDue = false;
    const end = this.now() + ROTA_MS;
    let due = this.#waiting.size;
    for (const reader of this.#waiting) {
      // A reader that waits again stands behind the others, and reads in a later turn.
      if (due === 0 || this.now() > end) break;
      due -= 1;
      this.#waiting.delete(reader);
      reader.takeTurn();
    }
    if (this.#waiting.size > 0 && !this.#isNextTurnDue) {
      this.#isNextTurnDue = true;
      setImmediate(this.#nextTurn);
    }
  };
}

/** The messages and the time that one connection has read in the present turn of the event loop. */
export class Share {
  #turn = 0;
  #messages = 0;
  #spentMs = 0;
  #readingSince = 0;

  constructor(private readonly scheduler: Scheduler) {}

  /** True if the connection has to wait for its next turn. */
  get isSpent(): boolean {
    if (this.#turn !== this.scheduler.turn) return false;
    if (this.#messages >= MESSAGES_PER_TURN) return true;
    const reading = this.#readingSince === 0 ? 0 : this.scheduler.now() - this.#readingSince;
    return this.#spentMs + reading > SHARE_MS;
  }

  /** True if the connection has sent more in one turn than any honest one. */
  get isFlooded(): boolean {
    return this.#turn === this.scheduler.turn && this.#messages > MESSAGES_OF_A_FLOOD;
  }

  /** Notes that reading begins. @returns the time */
  begin(): number {
    this.#refresh();
    this.#readingSince = this.scheduler.now();
    return this.#readingSince;
  }

  /** Counts a message that was read, or one that waited and begins. */
  count(): void {
    this.#refresh();
    this.#messages += 1;
  }

  /** Notes that reading stops. */
  stop(): void {
    this.#spentMs += this.scheduler.now() - this.#readingSince;
    this.#readingSince = 0;
  }

  #refresh(): void {
    const { turn } = this.scheduler;
    if (this.#turn === turn) return;
    this.#turn = turn;
    this.#messages = 0;
    this.#spentMs = 0;
  }
}
