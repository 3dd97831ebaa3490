import { Packr, RESERVE_START_SPACE, Unpackr } from 'msgpackr';
import type { Frame, HubProtocol, MessageSink } from './hub-protocol.js';
import { skipValue } from './messagepack-guard.js';
import { optionalText, requireInteger, requireText, toInvocation, toStreamInvocation } from './message-shape.js';
import { type CompletionMessage, type HubMessage, MessageType, ProtocolError } from './messages.js';

/** The length in front of a message has at most five bytes, each with seven bits of the number. */
const MAXIMUM_PREFIX_SIZE = 5;

const ResultKind = { Error: 1, Void: 2, Value: 3 } as const;

/** This server neither reads nor writes headers. */
const NO_HEADERS = {};

const packer = new Packr({ useRecords: false, variableMapSize: true, encodeUndefinedAsNil: true });
// 'auto' reads 64-bit integers as numbers where those are exact, else as BigInts. The package's types do not list it.
const unpacker = Object.assign(new Unpackr({ useRecords: false, mapsAsObjects: true }), { int64AsType: 'auto' });

/** Hub messages as MessagePack arrays, each preceded by its length. */
export const messagePackProtocol: HubProtocol = {
  name: 'messagepack',
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
      if (message !== undefined) sink.accept(message);
      start = body + length;
      if (sink.isHeld) return start;
    }
    return start;
  },

  write(message: HubMessage): Frame {
    // The packer leaves room in front of the message, so that the length can be put there without a copy.
    const packed = packer.pack(toFields(message), RESERVE_START_SPACE | MAXIMUM_PREFIX_SIZE);
    const length = packed.length - MAXIMUM_PREFIX_SIZE;
    const start = MAXIMUM_PREFIX_SIZE - prefixSize(length);
    let rest = length;
    for (let position = start; position < MAXIMUM_PREFIX_SIZE; position++) {
      packed[position] = position === MAXIMUM_PREFIX_SIZE - 1 ? rest : (rest & 0x7f) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    return packed.subarray(start);
  },
};

function prefixSize(length: number): number {
  let size = 1;
  for (let rest = length; rest > 0x7f; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

function toFields(message: HubMessage): unknown[] {
  switch (message.type) {
    case MessageType.Invocation:
    case MessageType.StreamInvocation:
      return [message.type, NO_HEADERS, message.invocationId ?? null, message.target, message.arguments, message.streamIds ?? []];
    case MessageType.StreamItem:
      return [message.type, NO_HEADERS, message.invocationId, message.item];
    case MessageType.Completion:
      if (message.error !== undefined) return [message.type, NO_HEADERS, message.invocationId, ResultKind.Error, message.error];
      if (!message.hasResult) return [message.type, NO_HEADERS, message.invocationId, ResultKind.Void];
      return [message.type, NO_HEADERS, message.invocationId, ResultKind.Value, message.result];
    case MessageType.CancelInvocation:
      return [message.type, NO_HEADERS, message.invocationId];
    case MessageType.Ping:
      return [message.type];
    case MessageType.Close:
      return [message.type, message.error ?? null, message.allowReconnect === true];
    case MessageType.Ack:
    case MessageType.Sequence:
    default:
      return [message.type, message.sequenceId];
  }
}

function readMessage(data: Buffer, start: number, end: number): HubMessage | undefined {
  if (skipValue(data, start, end) !== end) throw new ProtocolError('The message has bytes behind its end.');
  const fields = unpack(data.subarray(start, end));
  if (!Array.isArray(fields)) throw new ProtocolError('The message is no MessagePack array.');
  return toMessage(fields);
}

function unpack(data: Buffer): unknown {
  try {
    return unpacker.unpack(data);
  } catch (error) {
    // The guard lets maps pass whose keys cannot be the keys of an object.
    throw new ProtocolError('The message cannot be decoded.', { cause: error });
  }
}

function toMessage(fields: readonly unknown[]): HubMessage | undefined {
  const type = requireInteger(fields[0], 'type');
  switch (type) {
    case MessageType.Invocation:
      return toInvocation(fields[2], fields[3], fields[4], fields[5]);
    case MessageType.StreamInvocation:
      return toStreamInvocation(fields[2], fields[3], fields[4], fields[5]);
    case MessageType.StreamItem:
      if (fields.length < 4) throw new ProtocolError("Missing required property 'item'.");
      return { type, invocationId: requireText(fields[2], 'invocationId'), item: fields[3] };
    case MessageType.Completion:
      return toCompletion(requireText(fields[2], 'invocationId'), fields);
    case MessageType.CancelInvocation:
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
