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

/** A call that cannot be carried out as it was made; the text goes to the caller. */
class RefusedCall extends Error {}

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
    if (method === undefined) throw new RefusedCall('the method does not exist');
    const { returns } = method.descriptor;
    const streams = returns !== undefined && isStream(returns);
    if (streams && message.type === MessageType.Invocation)
      throw new RefusedCall('the method answers with a stream and was not called as one');
    if (!streams && message.type === MessageType.StreamInvocation) throw new RefusedCall('the method does not answer with a stream');
    return method;
  }

  #fail(connection: HubConnection, message: CallMessage, error: unknown, invocation: Invocation | undefined): void {
    const isExpected = error instanceof RefusedCall || error instanceof HubError;
    // Work that stops because its client cancelled it or left is no error of the server's.
    if (!isExpected && !(invocation?.isTracked && invocation.signal.aborted))
      this.hub.reportError(`'${message.target}' of hub ${this.hub.path}`, error);
    if (message.invocationId === undefined) return;
    connection.write({
      type: MessageType.Completion,
      invocationId: message.invocationId,
      error: this.#errorText(message.target, error),
      hasResult: false,
    });
  }

  #errorText(target: string, error: unknown): string {
    if (error instanceof RefusedCall) return `Failed to invoke '${target}': ${error.message}.`;
    const text = `An unexpected error occurred invoking '${target}' on the server.`;
    // The name that clients of other SignalR servers look for.
    if (error instanceof HubError) return `${text} HubException: ${error.message}`;
    return this.hub.detailedErrors ? `${text} ${error instanceof Error ? error.name : 'Error'}: ${messageOf(error)}` : text;
  }
}

/** Decodes the arguments and opens the streams of a call. What it opened before it fails it closes again. */
function bind(connection: HubConnection, method: BoundMethod, message: CallMessage): Invocation {
  const { descriptor } = method;
  const streamIds = message.streamIds ?? [];
  if (message.arguments.length !== method.values) {
    throw new RefusedCall(`the method takes ${method.values} argument(s), not ${message.arguments.length}`);
  }
  if (streamIds.length !== method.streams) throw new RefusedCall(`the method takes ${method.streams} stream(s), not ${streamIds.length}`);
  if (message.type === MessageType.StreamInvocation) {
    if (connection.isTracked(message.invocationId)) throw new RefusedCall(`the invocation id '${message.invocationId}' is in use`);
    if (!connection.hasRoomForStream) throw new RefusedCall('too many streams are open');
  }

  const args: unknown[] = [];
  let values = 0;
  let streams = 0;
  try {
    for (const parameter of descriptor.parameters) {
      if (isStream(parameter)) {
        args.push(openStream(connection, streamIds[streams], parameter));
        streams++;
      } else {
        args.push(decodeArgument(connection, parameter, message.arguments[values], values));
        values++;
      }
    }
  } catch (error) {
    connection.closeUploads(streamIds.slice(0, streams));
    throw error;
  }
  return new Invocation(connection, descriptor.name, args, message.invocationId);
}

/** A call is over: it cannot be cancelled any more, and nobody reads its streams. */
function unbind(connection: HubConnection, invocation: Invocation, message: CallMessage): void {
  if (invocation.isTracked) connection.untrack(invocation);
  if (message.streamIds === undefined) return;
  // The connection forgets a stream with its end; one that nobody read to that end would keep the socket paused for ever.
  for (const argument of invocation.args) if (argument instanceof UploadStream) argument.abandon();
  connection.closeUploads(message.streamIds);
}

function decodeArgument(connection: HubConnection, type: WireType<unknown>, raw: unknown, index: number): unknown {
  try {
    return type.decode(raw, connection.encoding);
  } catch (error) {
    throw new RefusedCall(`argument ${index} (${type.name}) does not fit: ${messageOf(error)}`, { cause: error });
  }
}

function openStream(connection: HubConnection, streamId: string, parameter: StreamParameter<unknown>): AsyncIterable<unknown> {
  try {
    return connection.openUpload(streamId, parameter.stream);
  } catch (error) {
    throw new RefusedCall(messageOf(error), { cause: error });
  }
}

/** Answers a call with its result; a call without an id gets no answer. */
function answer(connection: HubConnection, invocationId: string | undefined, descriptor: HubMethodDescriptor, result: unknown): void {
  if (invocationId === undefined) return;
  const { returns } = descriptor;
  if (returns === undefined || isStream(returns)) return connection.write({ type: MessageType.Completion, invocationId, hasResult: false });
  const encoded = returns.encode(result, connection.encoding);
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
      throw error;
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
