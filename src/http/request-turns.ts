import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * How many milliseconds of one turn of the event loop may go into beginning requests. A flood of requests delays the messages of
 * hubs, which take several turns from arrival to answer, by a few times this; requests that cost 0.1 ms lose nothing by it.
 */
const TURN_BUDGET_MS = 1;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Begins requests in the order in which they come, but only as many in one turn of the event loop as its budget allows. The others
 * wait for the next turn, so that everything else the process does gets its turn in between.
 */
export class RequestTurns {
  private waiting: Waiting[] = [];
  /** How many of `waiting` have begun: they leave the list together, because each removal at the front would move the rest. */
  private begun = 0;
  private isOpen = false;
  private endsAt = 0;

  constructor(private readonly serve: RequestListener) {}

  /** Begins a request now if this turn has time for it, else in a later turn. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.waiting.length === 0 && this.hasTime()) this.serve(request, response);
    else this.takeLater(request, response);
  }

  /** Begins a request in a later turn. */
  takeLater(request: IncomingMessage, response: ServerResponse): void {
    this.waiting.push({ request, response });
    this.open();
  }

  private hasTime(): boolean {
    return this.open() || performance.now() < this.endsAt;
  }

  /** Whether this opened a turn, because none was open. */
  private open(): boolean {
    if (this.isOpen) return false;
    this.isOpen = true;
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
    const { request, response } = this.waiting[this.begun];
    this.begun += 1;
    // A client that has left meanwhile needs no answer.
    if (!request.socket.destroyed) this.serve(request, response);
    // What the request does at once is a part of its time.
    queueMicrotask(this.beginNext);
  };
}
