import { RECORD_SEPARATOR } from './handshake.js';
import type { Frame, HubProtocol, MessageSink } from './hub-protocol.js';
import { optionalText, optionalTexts, parseObject, requireArray, requireInteger, requireText } from './message-shape.js';
import { type CompletionMessage, type HubMessage, MessageType, ProtocolError } from './messages.js';

/** Hub messages as JSON objects, each ended by byte 0x1E; several may share a frame, one may span frames. */
export const jsonProtocol: HubProtocol = {
  name: 'json',
  binary: false,

  parse(data: Buffer, maximumMessageSize: number, sink: MessageSink, searched = 0): number {
    let start = 0;
    for (;;) {
      const end = data.indexOf(RECORD_SEPARATOR, Math.max(start, searched));
      if ((end === -1 ? data.length : end) - start > maximumMessageSize) {
        throw new ProtocolError(`The maximum message size of ${maximumMessageSize} bytes was exceeded.`);
      }
      if (end === -1) return start;
      const message = toMessage(parseObject(data.toString('utf8', start, end), 'message'));
      if (message !== undefined) sink.accept(message);
      start = end + 1;
      if (sink.isHeld) return start;
    }
  },

  write(message: HubMessage): Frame {
    return `${JSON.stringify(message.type === MessageType.Completion ? completionRecord(message) : message)}\x1e`;
  },
};

/** `hasResult` is ours, not the wire's: there the presence of `result` says it. */
function completionRecord(message: CompletionMessage): object {
  const { type, invocationId } = message;
  if (message.error !== undefined) return { type, invocationId, error: message.error };
  return message.hasResult ? { type, invocationId, result: message.result ?? null } : { type, invocationId };
}

function toMessage(record: Record<string, unknown>): HubMessage | undefined {
  const type = requireInteger(record.type, 'type');
  switch (type) {
    case MessageType.Invocation:
      return {
        type,
        invocationId: optionalText(record.invocationId, 'invocationId'),
        target: requireText(record.target, 'target'),
        arguments: requireArray(record.arguments, 'arguments'),
        streamIds: optionalTexts(record.streamIds, 'streamIds'),
      };
    case MessageType.StreamInvocation:
      return {
        type,
        invocationId: requireText(record.invocationId, 'invocationId'),
        target: requireText(record.target, 'target'),
        arguments: requireArray(record.arguments, 'arguments'),
        streamIds: optionalTexts(record.streamIds, 'streamIds'),
      };
    case MessageType.StreamItem:
      if (record.item === undefined) throw new ProtocolError("Missing required property 'item'.");
      return { type, invocationId: requireText(record.invocationId, 'invocationId'), item: record.item };
    case MessageType.Completion:
      return toCompletion(requireText(record.invocationId, 'invocationId'), record);
    case MessageType.CancelInvocation:
      return { type, invocationId: requireText(record.invocationId, 'invocationId') };
    case MessageType.Ping:
      return { type };
    case MessageType.Close:
      return { type, error: optionalText(record.error, 'error'), allowReconnect: record.allowReconnect === true };
    case MessageType.Ack:
    case MessageType.Sequence:
      return { type, sequenceId: requireInteger(record.sequenceId, 'sequenceId') };
    default:
      return undefined;
  }
}

/** Clients write `error: null` beside a result, and `result: null` beside an error. */
function toCompletion(invocationId: string, record: Record<string, unknown>): CompletionMessage {
  const error = optionalText(record.error, 'error');
  const type = MessageType.Completion;
  if (error === undefined) return { type, invocationId, hasResult: record.result !== undefined, result: record.result };
  if (record.result !== undefined && record.result !== null) {
    throw new ProtocolError("The 'error' and 'result' properties are mutually exclusive.");
  }
  return { type, invocationId, error, hasResult: false };
}
