import type { HubConnection } from '../connection/hub-connection.js';
import type { HubArguments, HubMethodDescriptor, HubReturn } from '../calls/method-descriptor.js';

/** One call of a hub method by a client. */
export interface Invocation<User = unknown, Args extends readonly unknown[] = readonly unknown[]> {
  readonly connection: HubConnection<User>;
  readonly method: string;
  /** Decoded, in the order of the method's parameters. Streams are async iterables. */
  readonly args: Args;
  /** Absent when the client wants no answer. */
  readonly invocationId: string | undefined;
  /** The time at which it arrived at this process, by `performance.now()`. It may have waited for its turn since. */
  readonly arrivedAt: number;
  /** Aborted when the client cancels the call or disconnects. Made on first use. */
  readonly signal: AbortSignal;
  /**
   * Gives the turn of this call to the next one of the client, although this one is not done. For calls that wait for anything but their
   * client. Such calls do not count among `parallelInvocations` any more: the program has to limit how many wait.
   */
  yieldTurn(): void;
}

/** A call of the method that `D` describes. */
export type InvocationOf<D extends HubMethodDescriptor, User = unknown> = Invocation<User, HubArguments<D>>;

/** The function that runs when a client calls the hub method that `D` describes. It may return a promise of its result. */
export type HubMethodHandler<D extends HubMethodDescriptor = HubMethodDescriptor, User = unknown> = (
  invocation: Invocation<User, HubArguments<D>>,
) => HubReturn<D> | PromiseLike<HubReturn<D>>;
