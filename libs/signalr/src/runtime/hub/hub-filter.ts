import type { HubConnection } from '../connection/hub-connection.js';
import type { Invocation } from './invocation.js';

/**
 * Runs around the events of a hub. Each function gets `next`, which goes on with the next filter and at last with the hub itself. A filter
 * that does not call `next` takes its place. The first filter of a list is the outermost.
 */
export interface HubFilter<User = unknown> {
  /**
   * Runs around a call, when its arguments have been decoded. `next` runs the method and returns its result or the source of its stream,
   * or a promise of it; the arguments given to it replace those of the call.
   * @returns the result of the call, in place of the method
   * @throws HubError, or another error, in place of the method
   */
  onCall?(invocation: Invocation<User>, next: NextCall): unknown;
  /** Runs around the `onConnected` of all listeners. When it throws, the connection ends. */
  onConnected?(connection: HubConnection<User>, next: () => Promise<void>): void | Promise<void>;
  /** Runs around the `onDisconnected` of all listeners. `next` does not throw: errors of listeners go to the log. */
  onDisconnected?(connection: HubConnection<User>, reason: string, next: () => Promise<void>): void | Promise<void>;
}

/** Goes on with a call, with other arguments if some are given. */
export type NextCall = (args?: readonly unknown[]) => unknown;

/** A function that takes the invocation of a method and returns its result. */
export type CallHandler = (invocation: Invocation) => unknown;

/** The part of a filter that concerns calls. */
type CallFilter = Required<Pick<HubFilter, 'onCall'>>;

/** Puts filters around a handler of calls, the first one outermost. Without filters that concern calls it is the handler itself. */
export function filterCalls(filters: readonly HubFilter[], handler: CallHandler): CallHandler {
  return filters
    .filter(filtersCalls)
    .reduceRight<CallHandler>(
      (inner, filter) => (invocation) =>
        filter.onCall(invocation, (args) => inner(args === undefined ? invocation : withArguments(invocation, args))),
      handler,
    );
}

/** Runs `inner` within the filters' `onConnected`. */
export function filterConnected(filters: readonly HubFilter[], connection: HubConnection, inner: () => Promise<void>): Promise<void> {
  return around(filters, inner, (filter, next) => (filter.onConnected === undefined ? next() : filter.onConnected(connection, next)));
}

/** Runs `inner` within the filters' `onDisconnected`. */
export function filterDisconnected(
  filters: readonly HubFilter[],
  connection: HubConnection,
  reason: string,
  inner: () => Promise<void>,
): Promise<void> {
  return around(filters, inner, (filter, next) =>
    filter.onDisconnected === undefined ? next() : filter.onDisconnected(connection, reason, next),
  );
}

function around(
  filters: readonly HubFilter[],
  inner: () => Promise<void>,
  run: (filter: HubFilter, next: () => Promise<void>) => void | Promise<void>,
): Promise<void> {
  return filters.reduceRight<() => Promise<void>>((next, filter) => async () => run(filter, next), inner)();
}

function filtersCalls(filter: HubFilter): filter is CallFilter {
  return filter.onCall !== undefined;
}

function withArguments(invocation: Invocation, args: readonly unknown[]): Invocation {
  return new ChangedInvocation(invocation, args);
}

/** A call with other arguments than its client has sent. */
class ChangedInvocation implements Invocation {
  constructor(
    private readonly original: Invocation,
    readonly args: readonly unknown[],
  ) {}

  get connection(): HubConnection {
    return this.original.connection;
  }

  get method(): string {
    return this.original.method;
  }

  get invocationId(): string | undefined {
    return this.original.invocationId;
  }

  get arrivedAt(): number {
    return this.original.arrivedAt;
  }

  get signal(): AbortSignal {
    return this.original.signal;
  }

  yieldTurn(): void {
    this.original.yieldTurn();
  }
}
