import { type CallMessage, MessageType } from '../../protocol/messages.js';
import { closeInvocation, countParameters, openInvocation, type ParameterCounts } from './call-arguments.js';
import { BrokenStream, errorText, refusal, RefusedCall } from '../calls/call-errors.js';
import { DisconnectedError, HubError, isBecauseOf } from '../errors.js';
import { needsTurn } from '../calls/calls.js';
import type { Connection } from '../connection/connection.js';
import type { Diagnostics, Failure } from '../diagnostics.js';
import { filterCalls, type HubFilter } from './hub-filter.js';
import type { HubMethodHandler, Invocation } from './invocation.js';
import { type HubLogger, logError } from '../logger.js';
import { type HubMethodDescriptor, isStream } from '../calls/method-descriptor.js';
import type { RunningInvocation } from './running-invocation.js';
import { sendStream } from './stream-sender.js';
import type { WireType } from '../wire-type.js';

export interface HubDispatcherOptions {
  /** The hub's path, for the log. */
  readonly path: string;
  readonly logger: HubLogger;
  /** True if callers are told the text of unexpected errors. */
  readonly detailedErrors: boolean;
  /** Undefined without an OpenTelemetry SDK. */
  readonly diagnostics: Diagnostics | undefined;
  readonly filters: readonly HubFilter[];
  readonly hubErrorOf: ((error: unknown) => HubError | undefined) | undefined;
}

interface BoundMethod {
  readonly descriptor: HubMethodDescriptor;
  readonly counts: ParameterCounts;
  /** It takes the invocation of its own descriptor, which {@link HubDispatcher.add} sees to. */
  handler(invocation: Invocation): unknown;
}

/** Finds the method that a client calls, runs it, and answers. No error of a method reaches the connection. */
export class HubDispatcher {
  /** By name as it is declared and in lower case: most clients use the former, which saves a conversion. */
  readonly #methods = new Map<string, BoundMethod>();

  constructor(private readonly options: HubDispatcherOptions) {}

  /** Serves calls of `descriptor.name`, in any case. @throws Error when there is a method of that name */
  add<D extends HubMethodDescriptor, User>(descriptor: D, handler: HubMethodHandler<D, User>): void {
    const bound: Pick<BoundMethod, 'handler'> = { handler };
    const filtered = filterCalls(this.options.filters, bound.handler);
    const method: BoundMethod = { descriptor, counts: countParameters(descriptor), handler: filtered };
    const key = descriptor.name.toLowerCase();
    if (this.#methods.has(key)) throw new Error(`Hub ${this.options.path} has a method '${descriptor.name}' already.`);
    this.#methods.set(key, method);
    this.#methods.set(descriptor.name, method);
  }

  /** Carries out one call, which arrived then. */
  dispatch(connection: Connection, message: CallMessage, arrivedAt: number): void {
    const method = this.#methods.get(message.target) ?? this.#methods.get(message.target.toLowerCase());
    const { diagnostics } = this.options;
    if (diagnostics === undefined) void this.#carryOut(connection, message, method, arrivedAt);
    else void diagnostics.serve(connection, message, method?.descriptor.name, () => this.#carryOut(connection, message, method, arrivedAt));
  }

  /** Runs a call and answers it. Never rejects. @returns the reason of its failure; undefined when it succeeded */
  async #carryOut(
    connection: Connection,
    message: CallMessage,
    method: BoundMethod | undefined,
    arrivedAt: number,
  ): Promise<Failure | undefined> {
    let invocation: RunningInvocation | undefined;
    try {
      checkKind(message, method);
      const { descriptor, counts } = method;
      invocation = openInvocation(connection, descriptor, counts, message, arrivedAt);
      const returned = method.handler(invocation);
      const result = isPromise(returned) ? await returned : returned;
      const { returns } = descriptor;
      if (returns !== undefined && isStream(returns)) await sendStream(invocation, returns.stream, result);
      else answer(invocation, returns, result);
      return undefined;
    } catch (error) {
      return this.#fail(connection, message, error, invocation);
    } finally {
      if (invocation !== undefined) closeInvocation(invocation, message);
      else if (needsTurn(message)) connection.turnEnded();
    }
  }

  #fail(connection: Connection, message: CallMessage, thrown: unknown, invocation: RunningInvocation | undefined): Failure | undefined {
    const { path, logger, detailedErrors, hubErrorOf } = this.options;
    const error = hubErrorOf === undefined ? thrown : replaceCause(thrown, (cause) => hubErrorOf(cause));
    const cause = error instanceof BrokenStream ? error.cause : error;
    const isExpected = cause instanceof RefusedCall || cause instanceof HubError;
    // A method that stops because its client has cancelled the call or left is no fault of the server.
    const isCancelled = invocation?.isTracked === true && invocation.signal.aborted;
    const hasLeft = !connection.isOpen && isBecauseOf(cause, DisconnectedError);
    const { invocationId, target } = message;
    if (!isExpected && !isCancelled && !hasLeft) logError(logger, `'${target}' of hub ${path}`, cause);
    if (invocationId !== undefined) {
      connection.outbox.send({
        type: MessageType.Completion,
        invocationId,
        error: errorText(target, error, detailedErrors),
        hasResult: false,
      });
    }
    return isCancelled || hasLeft ? undefined : failureOf(cause, isExpected);
  }
}

/** The error itself, or the error that replaces it or the cause of a broken stream. */
function replaceCause(error: unknown, replacementOf: (cause: unknown) => HubError | undefined): unknown {
  const replacement = replacementOf(error instanceof BrokenStream ? error.cause : error);
  if (replacement === undefined) return error;
  return error instanceof BrokenStream ? new BrokenStream(replacement.message, { cause: replacement }) : replacement;
}

/** Checks that there is a method, and that it streams if the caller expects a stream. */
function checkKind(message: CallMessage, method: BoundMethod | undefined): asserts method is BoundMethod {
  if (method === undefined) throw refusal(message, 'Method does not exist.');
  const { returns } = method.descriptor;
  const streams = returns !== undefined && isStream(returns);
  if (streams && message.type === MessageType.Invocation) {
    throw new RefusedCall(`The client attempted to invoke the streaming '${message.target}' method with a non-streaming invocation.`);
  }
  if (!streams && message.type === MessageType.StreamInvocation) {
    throw new RefusedCall(`The client attempted to invoke the non-streaming '${message.target}' method with a streaming invocation.`);
  }
}

function failureOf(error: unknown, isExpected: boolean): Failure {
  if (!(error instanceof Error)) return { type: typeof error };
  return { type: error.name, fault: isExpected ? undefined : error };
}

/** Answers a call with its result, or with null when the method returns nothing. A call without an id wants no answer. */
function answer({ client, invocationId }: RunningInvocation, returns: WireType<unknown> | undefined, result: unknown): void {
  if (invocationId === undefined) return;
  const encoded = returns === undefined ? null : returns.encode(result, client.encoding);
  client.outbox.send({ type: MessageType.Completion, invocationId, hasResult: true, result: encoded });
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
