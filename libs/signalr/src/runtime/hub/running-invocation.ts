import type { CancellableCall } from '../calls/calls.js';
import type { Connection } from '../connection/connection.js';
import type { HubConnection } from '../connection/hub-connection.js';
import type { Invocation } from './invocation.js';

/** A call that runs. */
export class RunningInvocation implements CancellableCall, Invocation {
  /** True once the call is answered: then its client cannot cancel it any more. */
  isDone = false;
  #abort: AbortController | undefined;

  constructor(
    readonly client: Connection,
    readonly method: string,
    readonly args: readonly unknown[],
    readonly invocationId: string | undefined,
    readonly arrivedAt: number,
    private holdsTurn: boolean,
  ) {}

  get connection(): HubConnection {
    return this.client.view;
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

  /** True if a cancellation can reach the call. */
  get isTracked(): boolean {
    return this.#abort !== undefined;
  }

  cancel(): void {
    this.#abort?.abort();
  }

  #cancellation(): AbortController {
    if (this.#abort !== undefined) return this.#abort;
    this.#abort = new AbortController();
    // Work that outlives its call may ask late. Tracked, it would keep the id of the call in use.
    if (!this.isDone || !this.client.isOpen) this.client.messages.calls.track(this);
    return this.#abort;
  }
}
