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
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      this.connection.track(this);
    }
    return this.#abort.signal;
  }

  get isTracked(): boolean {
    return this.#abort !== undefined;
  }

  cancel(): void {
    this.#abort?.abort();
  }
}
