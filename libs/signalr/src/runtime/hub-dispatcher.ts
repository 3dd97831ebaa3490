import { type InvocationMessage, MessageType, type StreamInvocationMessage } from '../protocol/messages.js';
import { HubError, messageOf } from './errors.js';
import type { HubConnection } from './hub-connection.js';
import type { Hub } from './hub.js';
import { Invocation } from './invocation.js';
import { type HubMethodDescriptor, isStream, type StreamParameter } from './method-descriptor.js';
import { UploadStream } from './upload-stream.js';
import type { WireType } from './wire-type.js';

/** What runs when a client calls a hub method; may return a promise, and an async iterable when the method streams. */
export type HubMethodHandler = (invocation: Invocation) => unknown;

interface BoundMethod {
  readonly descriptor: HubMethodDescriptor;
  readonly handler: HubMethodHandler;
  /** How many parameters arrive as values, and how many as streams. */
  readonly values: number;
  readonly streams: number;
}

/** A call that cannot be carried out as it was made; the whole text goes to the caller. */
class RefusedCall extends Error {}

/** A stream to the client broke after it had begun. */
class BrokenStream extends Error {}

type CallMessage = InvocationMessage | StreamInvocationMessage;

/** Finds the method that a client calls, runs it, and answers. Nothing that a method does reaches the connection's loop. */
export class HubDispatcher {
  readonly #methods = new Map<string, BoundMethod>();

  constructor(private readonly hub: Hub) {}

  /** Serves calls of `descriptor.name`, in any case. */
  add(descriptor: HubMethodDescriptor, handler: HubMethodHandler): void {
    const streams = descriptor.parameters.filter(isStream).length;
    const method = { descriptor, handler, streams, values: descriptor.parameters.length - streams };
    const key = descriptor.name.toLowerCase();
    if (this.#methods.has(key)) throw new Error(`Hub ${this.hub.path} has a method '${descriptor.name}' already.`);
    this.#methods.set(key, method);
    this.#methods.set(descriptor.name, method);
  }

  /** Carries out one call. Never rejects. */
  async dispatch(connection: HubConnection, message: CallMessage): Promise<void> {
    let invocation: Invocation | undefined;
    try {
      const method = this.#find(message);
      invocation = bind(connection, method, message);
      const returned = method.handler(invocation);
      const result = isPromise(returned) ? await returned : returned;
      if (message.type === MessageType.StreamInvocation) await stream(connection, invocation, method.descriptor, result);
      else answer(connection, message.invocationId, method.descriptor, result);
    } catch (error) {
      this.#fail(connection, message, error, invocation);
    } finally {
      if (invocation !== undefined) unbind(connection, invocation, message);
      connection.finished(message);
    }
  }

  #find(message: CallMessage): BoundMethod {
    const method = this.#methods.get(message.target) ?? this.#methods.get(message.target.toLowerCase());
    if (method === undefined) throw refusal(message, 'Method does not exist.');
    const { returns } = method.descriptor;
    const streams = returns !== undefined && isStream(returns);
    if (streams && message.type === MessageType.Invocation) {
      throw new RefusedCall(`The client attempted to invoke the streaming '${message.target}' method with a non-streaming invocation.`);
    }
    if (!streams && message.type === MessageType.StreamInvocation) {
      throw new RefusedCall(`The client attempted to invoke the non-streaming '${message.target}' method with a streaming invocation.`);
    }
    return method;
  }

  #fail(connection: HubConnection, message: CallMessage, error: unknown, invocation: Invocation | undefined): void {
    const cause = error instanceof BrokenStream ? error.cause : error;
    const isExpected = cause instanceof RefusedCall || cause instanceof HubError;
    // Work that stops because its client cancelled it or left is no error of the server's.
    if (!isExpected && !(invocation?.isTracked && invocation.signal.aborted))
      this.hub.reportError(`'${message.target}' of hub ${this.hub.path}`, cause);
    const { invocationId } = message;
    if (invocationId === undefined) return;
    connection.write({ type: MessageType.Completion, invocationId, error: this.#errorText(message.target, error), hasResult: false });
  }

  /** The words of ASP.NET Core, which programs look for. */
  #errorText(target: string, error: unknown): string {
    if (error instanceof RefusedCall) return error.message;
    if (error instanceof BrokenStream) return this.#explain('An error occurred on the server while streaming results.', error.cause);
    return this.#explain(`An unexpected error occurred invoking '${target}' on the server.`, error);
  }

  #explain(text: string, error: unknown): string {
    if (error instanceof HubError) return `${text} ${PUBLIC_ERROR}: ${error.message}`;
    return this.hub.detailedErrors ? `${text} ${error instanceof Error ? error.name : 'Error'}: ${messageOf(error)}` : text;
  }
}

/** What ASP.NET Core calls an error whose text is meant for the caller. */
const PUBLIC_ERROR = 'HubException';

function refusal({ target }: CallMessage, reason: string, cause?: unknown): RefusedCall {
  return new RefusedCall(`Failed to invoke '${target}' due to an error on the server. ${PUBLIC_ERROR}: ${reason}`, { cause });
}

/** Decodes the arguments and opens the streams of a call. What it opened before it fails it closes again. */
function bind(connection: HubConnection, method: BoundMethod, message: CallMessage): Invocation {
  const { descriptor } = method;
  const streamIds = message.streamIds ?? [];
  if (message.arguments.length !== method.values) {
    throw refusal(message, `The method takes ${method.values} argument(s), not ${message.arguments.length}.`);
  }
  if (streamIds.length !== method.streams) {
    throw refusal(message, `The method takes ${method.streams} stream(s), not ${streamIds.length}.`);
  }
  if (message.type === MessageType.StreamInvocation && connection.isTracked(message.invocationId)) {
    throw new RefusedCall(`Invocation ID '${message.invocationId}' is already in use.`);
  }
  if (!connection.reserveStreams(streamsOf(message))) throw refusal(message, 'Too many streams are open.');

  const args: unknown[] = [];
  let values = 0;
  let streams = 0;
  try {
    for (const parameter of descriptor.parameters) {
      if (isStream(parameter)) {
        args.push(openStream(connection, message, streamIds[streams], parameter));
        streams++;
      } else {
        args.push(decodeArgument(connection, message, parameter, values));
        values++;
      }
    }
  } catch (error) {
    connection.closeUploads(streamIds.slice(0, streams));
    connection.releaseStreams(streamsOf(message));
    throw error;
  }
  const invocation = new Invocation(connection, descriptor.name, args, message.invocationId);
  if (message.type === MessageType.StreamInvocation) invocation.expectCancellation();
  return invocation;
}

/** How many streams a call opens, both directions together. */
function streamsOf({ type, streamIds }: CallMessage): number {
  return (streamIds?.length ?? 0) + (type === MessageType.StreamInvocation ? 1 : 0);
}

/** A call is over: it cannot be cancelled any more, and nobody reads its streams. */
function unbind(connection: HubConnection, invocation: Invocation, message: CallMessage): void {
  if (invocation.isTracked) connection.untrack(invocation);
  connection.releaseStreams(streamsOf(message));
  if (message.streamIds === undefined) return;
  // The connection forgets a stream with its end; one that nobody read to that end would keep the socket paused for ever.
  for (const argument of invocation.args) if (argument instanceof UploadStream) argument.abandon();
  connection.closeUploads(message.streamIds);
}

function decodeArgument(connection: HubConnection, message: CallMessage, type: WireType<unknown>, index: number): unknown {
  try {
    return type.decode(message.arguments[index], connection.encoding);
  } catch (error) {
    throw refusal(message, `Argument ${index} (${type.name}) does not fit: ${messageOf(error)}`, error);
  }
}

function openStream(
  connection: HubConnection,
  message: CallMessage,
  streamId: string,
  { stream: items }: StreamParameter<unknown>,
): AsyncIterable<unknown> {
  const opened = connection.openUpload(streamId, items);
  if (opened === undefined) throw refusal(message, `The stream '${streamId}' is open already.`);
  return opened;
}

/** Answers a call with its result, or with null when the method has none; a call without an id gets no answer. */
function answer(connection: HubConnection, invocationId: string | undefined, descriptor: HubMethodDescriptor, result: unknown): void {
  if (invocationId === undefined) return;
  const { returns } = descriptor;
  const encoded = returns === undefined || isStream(returns) ? null : returns.encode(result, connection.encoding);
  connection.write({ type: MessageType.Completion, invocationId, hasResult: true, result: encoded });
}

/** Sends the items of a method's stream, no faster than the client takes them, then its end. */
async function stream(connection: HubConnection, invocation: Invocation, descriptor: HubMethodDescriptor, result: unknown): Promise<void> {
  const { returns } = descriptor;
  const { invocationId, signal } = invocation;
  if (returns === undefined || !isStream(returns) || invocationId === undefined) return;
  if (!isAsyncIterable(result)) throw new TypeError(`'${descriptor.name}' did not return an async iterable.`);

  const iterator = result[Symbol.asyncIterator]();
  const stop = (): void => {
    // What the iterator does while it is stopped is its own affair; `next` below tells when it is done.
    iterator.return?.().catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    while (!signal.aborted) {
      if (connection.isCongested) await connection.drained();
      const next = await iterator.next();
      if (next.done === true || signal.aborted) break;
      const item = returns.stream.encode(next.value, connection.encoding);
      connection.write({ type: MessageType.StreamItem, invocationId, item });
    }
  } catch (error) {
    if (!signal.aborted) {
      stop();
      throw new BrokenStream(messageOf(error), { cause: error });
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  connection.write({ type: MessageType.Completion, invocationId, hasResult: false });
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
