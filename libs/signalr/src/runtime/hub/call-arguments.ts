import { type CallMessage, MessageType } from '../../protocol/messages.js';
import { refusal, RefusedCall } from '../calls/call-errors.js';
import { needsTurn } from '../calls/calls.js';
import { messageOf } from '../errors.js';
import type { Connection } from '../connection/connection.js';
import { RunningInvocation } from './running-invocation.js';
import { type HubMethodDescriptor, isStream } from '../calls/method-descriptor.js';
import { UploadStream } from '../streams/upload-stream.js';
import type { WireType } from '../wire-type.js';

/** The numbers of parameters of a method that arrive as values and as streams. */
export interface ParameterCounts {
  readonly values: number;
  readonly streams: number;
}

export function countParameters({ parameters }: HubMethodDescriptor): ParameterCounts {
  const streams = parameters.filter(isStream).length;
  return { values: parameters.length - streams, streams };
}

/**
 * Makes an invocation of a call: decodes its arguments and opens its streams. {@link closeInvocation} releases them.
 * @throws RefusedCall when the call does not fit the method; then nothing stays open
 */
export function openInvocation(
  connection: Connection,
  descriptor: HubMethodDescriptor,
  counts: ParameterCounts,
  message: CallMessage,
  arrivedAt: number,
): RunningInvocation {
  const streamIds = message.streamIds ?? [];
  if (message.arguments.length !== counts.values) {
    throw refusal(message, `The method takes ${counts.values} argument(s), not ${message.arguments.length}.`);
  }
  if (streamIds.length !== counts.streams) {
    throw refusal(message, `The method takes ${counts.streams} stream(s), not ${streamIds.length}.`);
  }
  if (message.invocationId !== undefined && connection.messages.calls.isTracked(message.invocationId)) {
    throw new RefusedCall(`Invocation ID '${message.invocationId}' is already in use.`);
  }
  if (!connection.messages.calls.reserveStreams(streamsOf(message))) throw refusal(message, 'Too many streams are open.');

  const args: unknown[] = [];
  let values = 0;
  let streams = 0;
  try {
    for (const parameter of descriptor.parameters) {
      if (isStream(parameter)) {
        args.push(openStream(connection, message, streamIds[streams], parameter.stream));
        streams++;
      } else {
        args.push(decodeArgument(connection, message, values, parameter));
        values++;
      }
    }
  } catch (error) {
    if (streams > 0) closeStreams(connection, args);
    connection.messages.calls.releaseStreams(streamsOf(message));
    throw error;
  }
  const invocation = new RunningInvocation(connection, descriptor.name, args, message.invocationId, arrivedAt, needsTurn(message));
  if (message.type === MessageType.StreamInvocation) invocation.expectCancellation();
  return invocation;
}

/** Releases a call that is done: it cannot be cancelled any more, its streams have no reader, and its turn is free. */
export function closeInvocation(invocation: RunningInvocation, message: CallMessage): void {
  const { client: connection } = invocation;
  invocation.isDone = true;
  if (invocation.isTracked) connection.messages.calls.untrack(invocation);
  connection.messages.calls.releaseStreams(streamsOf(message));
  if (message.streamIds !== undefined) closeStreams(connection, invocation.args);
  invocation.yieldTurn();
}

function closeStreams(connection: Connection, args: readonly unknown[]): void {
  connection.messages.uploads.abandon(args.filter((argument) => argument instanceof UploadStream));
}

/** Counts the streams that a call opens, both directions together. */
function streamsOf({ type, streamIds }: CallMessage): number {
  return (streamIds?.length ?? 0) + (type === MessageType.StreamInvocation ? 1 : 0);
}

function openStream(connection: Connection, message: CallMessage, streamId: string, items: WireType<unknown>): AsyncIterable<unknown> {
  const opened = connection.messages.uploads.open(streamId, items);
  if (opened === undefined) throw refusal(message, `The stream '${streamId}' is open already.`);
  return opened;
}

function decodeArgument(connection: Connection, message: CallMessage, index: number, type: WireType<unknown>): unknown {
  try {
    return type.decode(message.arguments[index], connection.encoding);
  } catch (error) {
    throw refusal(message, `Argument ${index} (${type.name}) does not fit: ${messageOf(error)}`, error);
  }
}
