import type { HubConnection } from './hub-connection.js';

/** One call of a hub method by a client. */
export class Invocation {
  #abort: AbortController | undefined;

  constructor(
    readonly connection: HubConnection,
    readonly method: string,
    /** Decoded, in the order of the method's parameters; streams are async iterables. */
    readonly args: readonly unknown[],
    /** Absent when the client wants no answer. */
    readonly invocationId: string | undefined,
  ) {}

  /** Aborted when the client cancels the call or disconnects. Costs nothing until it is asked for. */
  get signal(): AbortSignal {
    return this.#cancellation().signal;
  }

  /** Lets a cancellation reach the call also before its method asks for {@link signal}. @internal */
  expectCancellation(): void {
    this.#cancellation();
  }

  get isTracked(): boolean {
    return this.#abort !== undefined;
  }

  cancel(): void {
    this.#abort?.abort();
  }

  #cancellation(): AbortController {
    if (this.#abort !== undefined) return this.#abort;
    this.#abort = new AbortController();
    this.connection.track(this);
    return this.#abort;
  }
}
