import type { CancellableCall } from './calls.js';
import type { Connection } from './connection.js';
import type { HubConnection } from './hub-connection.js';
import type { HubArguments, HubMethodDescriptor } from './method-descriptor.js';

/** One call of a hub method by a client. */
export interface Invocation<User = unknown, Args extends readonly unknown[] = readonly unknown[]> {
  readonly connection: HubConnection<User>;
  readonly method: string;
  /** Decoded, in the order of the method's parameters. Streams are async iterables. */
  readonly args: Args;
  /** Absent when the client wants no answer. */
  readonly invocationId: string | undefined;
  /** Aborted when the client cancels the call or disconnects. It is made when it is first asked for. */
  readonly signal: AbortSignal;
  /**
   * Gives the turn of this call to the next one of the client, although this one is not done. For calls that wait for somebody else
   * than their client. Such calls do not count among `parallelInvocations` any more: the program has to limit how many wait.
   */
  yieldTurn(): void;
}

/** A call of the method that `D` describes. */
export type InvocationOf<D extends HubMethodDescriptor, User = unknown> = Invocation<User, HubArguments<D>>;

/** A call that runs. */
export class RunningInvocation implements CancellableCall, Invocation {
  #abort: AbortController | undefined;

  constructor(
    readonly client: Connection,
    readonly method: string,
    readonly args: readonly unknown[],
    readonly invocationId: string | undefined,
    private holdsTurn: boolean,
  ) {}

  get connection(): HubConnection {
    return this.client;
  }

  yieldTurn(): void {
    if (!this.holdsTurn) return;
    this.holdsTurn = false;
    this.client.turnEnded();
  }

  get signal(): AbortSignal {
    return this.#cancellation().signal;
  }

  /** Lets a cancellation reach the call even before its method asks for {@link signal}. */
  expectCancellation(): void {
    this.#cancellation();
  }

  /** Whether a cancellation can reach the call. */
  get isTracked(): boolean {
    return this.#abort !== undefined;
  }

  cancel(): void {
    this.#abort?.abort();
  }

  #cancellation(): AbortController {
    if (this.#abort !== undefined) return this.#abort;
    this.#abort = new AbortController();
    this.client.messages.calls.track(this);
    return this.#abort;
  }
}
