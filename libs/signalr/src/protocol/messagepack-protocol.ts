import { MessagePackWriter } from '../wire/messagepack-writer.js';
import { bufferMemory } from './buffer-memory.js';
import type { Frame, HubProtocol, MessageSink } from './hub-protocol.js';
import { MessagePackReader } from './messagepack-reader.js';
import {
  type CallFields,
  optionalHeaders,
  optionalText,
  requireInteger,
  requireText,
  toInvocation,
  toStreamInvocation,
} from './message-shape.js';
import { type CompletionMessage, type HubMessage, MessageType, ProtocolError } from './messages.js';

/** The length in front of a message has at most five bytes, each with seven bits of the number. */
const MAXIMUM_PREFIX_SIZE = 5;

const ResultKind = { Error: 1, Void: 2, Value: 3 } as const;

/** The position of the method's name in a call. */
const TARGET = 3;

const writer = new MessagePackWriter(bufferMemory);

/** Hub messages as MessagePack arrays, each preceded by its length. */
export const messagePackProtocol: HubProtocol = {
  name: 'messagepack',
  encoding: 'messagepack',
  binary: true,

  parse(data: Buffer, maximumMessageSize: number, sink: MessageSink): number {
    let start = 0;
    while (start < data.length) {
      let length = 0;
      let prefix = 0;
      let byte: number;
      do {
        if (start + prefix === data.length) return start;
        byte = data.readUInt8(start + prefix);
        length += (byte & 0x7f) * 2 ** (7 * prefix);
        prefix++;
      } while (byte > 0x7f && prefix < MAXIMUM_PREFIX_SIZE);
      if (byte > 0x7f) throw new ProtocolError('The length of the message is malformed.');
      if (length > maximumMessageSize) throw new ProtocolError(`The maximum message size of ${maximumMessageSize} bytes was exceeded.`);

      const body = start + prefix;
      if (body + length > data.length) return start;
      const message = readMessage(data, body, body + length);
      if (message !== undefined) sink.accept(message, length);
      start = body + length;
      if (sink.isHeld) return start;
    }
    return start;
  },

  write(message: HubMessage): Frame {
    // The length is known only behind the message, so that room for it is left in front.
    writer.begin(MAXIMUM_PREFIX_SIZE);
    writeFields(message);
    const written = writer.end();
    const length = written.length - MAXIMUM_PREFIX_SIZE;
    const start = MAXIMUM_PREFIX_SIZE - prefixSize(length);
    let rest = length;
    for (let position = start; position < MAXIMUM_PREFIX_SIZE; position++) {
      written[position] = position === MAXIMUM_PREFIX_SIZE - 1 ? rest : (rest & 0x7f) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    return written.subarray(start);
  },
};

function prefixSize(length: number): number {
  let size = 1;
  for (let rest = length; rest > 0x7f; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

function writeFields(message: HubMessage): void {
  switch (message.type) {
    case MessageType.Invocation:
    case MessageType.StreamInvocation:
      writeStart(6, message);
      writer.text(message.target);
      writer.value(message.arguments);
      return writer.value(message.streamIds ?? []);
    case MessageType.StreamItem:
      writeStart(4, message);
      return writer.value(message.item);
    case MessageType.Completion:
      return writeCompletion(message);
    case MessageType.CancelInvocation:
      return writeStart(3, message);
    case MessageType.Ping:
      return writeType(1, message);
    case MessageType.Close:
      writeType(3, message);
      writer.value(message.error);
      return writer.value(message.allowReconnect === true);
    case MessageType.Ack:
    case MessageType.Sequence:
    default:
      writeType(2, message);
      return writer.value(message.sequenceId);
  }
}

function writeCompletion(message: CompletionMessage): void {
  if (message.error !== undefined) {
    writeStart(5, message);
    writer.value(ResultKind.Error);
    return writer.text(message.error);
  }
  writeStart(message.hasResult ? 5 : 4, message);
  writer.value(message.hasResult ? ResultKind.Value : ResultKind.Void);
  if (message.hasResult) writer.value(message.result);
}

/** Type, headers (this server writes none) and id. */
function writeStart(fields: number, message: HubMessage & { readonly invocationId?: string }): void {
  writeType(fields, message);
  writer.mapHeader(0);
  writer.value(message.invocationId);
}

function writeType(fields: number, { type }: HubMessage): void {
  writer.arrayHeader(fields);
  writer.value(type);
}

function readMessage(data: Buffer, start: number, end: number): HubMessage | undefined {
  const reader = new MessagePackReader(data, start, end);
  const count = reader.arrayHeader();
  const fields: unknown[] = [];
  for (let index = 0; index < count; index++) fields.push(index === TARGET ? reader.name() : reader.value());
  if (!reader.isAtEnd) throw new ProtocolError('The message has bytes behind its end.');
  return toMessage(fields);
}

function toMessage(fields: readonly unknown[]): HubMessage | undefined {
  const type = requireInteger(fields[0], 'type');
  switch (type) {
    case MessageType.Invocation:
      return toInvocation(callFields(fields));
    case MessageType.StreamInvocation:
      return toStreamInvocation(callFields(fields));
    case MessageType.StreamItem:
      optionalHeaders(fields[1]);
      if (fields.length < 4) throw new ProtocolError("Missing required property 'item'.");
      return { type, invocationId: requireText(fields[2], 'invocationId'), item: fields[3] };
    case MessageType.Completion:
      optionalHeaders(fields[1]);
      return toCompletion(requireText(fields[2], 'invocationId'), fields);
    case MessageType.CancelInvocation:
      optionalHeaders(fields[1]);
      return { type, invocationId: requireText(fields[2], 'invocationId') };
    case MessageType.Ping:
      return { type };
    case MessageType.Close:
      return { type, error: optionalText(fields[1], 'error'), allowReconnect: fields[2] === true };
    case MessageType.Ack:
    case MessageType.Sequence:
      return { type, sequenceId: requireInteger(fields[1], 'sequenceId') };
    default:
      return undefined;
  }
}

function callFields(fields: readonly unknown[]): CallFields {
  return { headers: fields[1], invocationId: fields[2], target: fields[3], arguments: fields[4], streamIds: fields[5] };
}

function toCompletion(invocationId: string, fields: readonly unknown[]): CompletionMessage {
  const type = MessageType.Completion;
  switch (fields[3]) {
    case ResultKind.Error:
      return { type, invocationId, error: requireText(fields[4], 'error'), hasResult: false };
    case ResultKind.Void:
      return { type, invocationId, hasResult: false };
    case ResultKind.Value:
      if (fields.length < 5) throw new ProtocolError("Missing required property 'result'.");
      return { type, invocationId, hasResult: true, result: fields[4] };
    default:
      throw new ProtocolError('The completion has an unknown result kind.');
  }
}
