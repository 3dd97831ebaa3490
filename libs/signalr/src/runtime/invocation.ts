import type { CancellableCall } from './calls.js';
import type { HubConnection } from './hub-connection.js';

/** One call of a hub method by a client. */
export class Invocation implements CancellableCall {
  #abort: AbortController | undefined;

  constructor(
    readonly connection: HubConnection,
    readonly method: string,
    /** Decoded, in the order of the method's parameters. Streams are async iterables. */
    readonly args: readonly unknown[],
    /** Absent when the client wants no answer. */
    readonly invocationId: string | undefined,
    private holdsTurn = false,
  ) {}

  /**
   * Gives the turn of this call to the next one of the client, although this one is not done. For calls that wait for somebody else
   * than their client. Such calls do not count among `parallelInvocations` any more: the program has to limit how many wait.
   */
  yieldTurn(): void {
    if (!this.holdsTurn) return;
    this.holdsTurn = false;
    this.connection.turnEnded();
  }

  /** Aborted when the client cancels the call or disconnects. It is made when it is first asked for. */
  get signal(): AbortSignal {
    return this.#cancellation().signal;
  }

  /** Lets a cancellation reach the call even before its method asks for {@link signal}. @internal */
  expectCancellation(): void {
    this.#cancellation();
  }

  /** Whether a cancellation can reach the call. @internal */
  get isTracked(): boolean {
    return this.#abort !== undefined;
  }

  /** @internal */
  cancel(): void {
    this.#abort?.abort();
  }

  #cancellation(): AbortController {
    if (this.#abort !== undefined) return this.#abort;
    this.#abort = new AbortController();
    this.connection.calls.track(this);
    return this.#abort;
  }
}
