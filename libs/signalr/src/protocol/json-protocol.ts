import { stringifyExactly, textJson } from './exact-json.js';
import { RECORD_SEPARATOR } from './handshake.js';
import type { Frame, HubProtocol, MessageSink } from './hub-protocol.js';
import {
  optionalHeaders,
  optionalText,
  parseObject,
  requireInteger,
  requireText,
  toInvocation,
  toStreamInvocation,
} from './message-shape.js';
import { type CompletionMessage, type HubMessage, MessageType, ProtocolError } from './messages.js';

/** Hub messages as JSON objects, each followed by the byte 0x1E. A frame may hold several messages, or a part of one. */
export const jsonProtocol: HubProtocol = {
  name: 'json',
  encoding: 'json',
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
      if (message !== undefined) sink.accept(message, end - start);
      start = end + 1;
      if (sink.isHeld) return start;
    }
  },

  write(message: HubMessage): Frame {
    return `${message.type === MessageType.Completion ? completionJson(message) : stringifyExactly(message)}\x1e`;
  },
};

/**
 * On the wire there is no `hasResult`: a completion with a result has a member `result`. One that is text is put in place, because JSON of
 * an object with a long text takes twice as long.
 */
function completionJson({ type, invocationId, error, hasResult, result }: CompletionMessage): string {
  if (error !== undefined) return stringifyExactly({ type, invocationId, error });
  if (!hasResult) return stringifyExactly({ type, invocationId });
  if (typeof result !== 'string') return stringifyExactly({ type, invocationId, result: result ?? null });
  return `{"type":${type},"invocationId":${textJson(invocationId)},"result":${textJson(result)}}`;
}

function toMessage(record: Record<string, unknown>): HubMessage | undefined {
  const type = requireInteger(record.type, 'type');
  switch (type) {
    case MessageType.Invocation:
      return toInvocation(record);
    case MessageType.StreamInvocation:
      return toStreamInvocation(record);
    default:
      // Those of other messages are of no use, but have to be headers.
      optionalHeaders(record.headers);
      return toOtherMessage(type, record);
  }
}

function toOtherMessage(type: number, record: Record<string, unknown>): HubMessage | undefined {
  switch (type) {
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

/** Some clients write `error: null` beside a result, and `result: null` beside an error. */
function toCompletion(invocationId: string, record: Record<string, unknown>): CompletionMessage {
  const error = optionalText(record.error, 'error');
  const type = MessageType.Completion;
  if (error === undefined) return { type, invocationId, hasResult: record.result !== undefined, result: record.result };
  if (record.result !== undefined && record.result !== null) {
    throw new ProtocolError("The 'error' and 'result' properties are mutually exclusive.");
  }
  return { type, invocationId, error, hasResult: false };
}
