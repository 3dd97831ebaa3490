/** The two kinds of values that protocols carry. A client chooses a protocol in its handshake. */
export type Encoding = 'json' | 'messagepack';

/** The numbers of the kinds of messages. */
export const MessageType = {
  Invocation: 1,
  StreamItem: 2,
  Completion: 3,
  StreamInvocation: 4,
  CancelInvocation: 5,
  Ping: 6,
  Close: 7,
  Ack: 8,
  Sequence: 9,
} as const;

/** Texts by name beside a message. This server reads those of traces, and sends none. */
export type Headers = Readonly<Record<string, string>>;

/** Calls a method. Without `invocationId` the caller wants no answer. */
export interface InvocationMessage {
  readonly type: typeof MessageType.Invocation;
  readonly invocationId?: string;
  readonly target: string;
  readonly arguments: readonly unknown[];
  /** The ids of the streams that the caller will send, in the order of the method's stream parameters. */
  readonly streamIds?: readonly string[];
  readonly headers?: Headers;
}

/** Calls a method that answers with a stream. */
export interface StreamInvocationMessage {
  readonly type: typeof MessageType.StreamInvocation;
  readonly invocationId: string;
  readonly target: string;
  readonly arguments: readonly unknown[];
  readonly streamIds?: readonly string[];
  readonly headers?: Headers;
}

/** One item of a stream; `invocationId` is the stream's id. */
export interface StreamItemMessage {
  readonly type: typeof MessageType.StreamItem;
  readonly invocationId: string;
  readonly item: unknown;
}

/** Ends a call or a stream: with an error, with a result, or with neither. */
export interface CompletionMessage {
  readonly type: typeof MessageType.Completion;
  readonly invocationId: string;
  readonly error?: string;
  readonly hasResult: boolean;
  readonly result?: unknown;
}

/** Asks to stop a stream. */
interface CancelInvocationMessage {
  readonly type: typeof MessageType.CancelInvocation;
  readonly invocationId: string;
}

/** Says "still here". */
export interface PingMessage {
  readonly type: typeof MessageType.Ping;
}

/** Announces the end of the connection. */
export interface CloseMessage {
  readonly type: typeof MessageType.Close;
  readonly error?: string;
  readonly allowReconnect?: boolean;
}

/** With stateful reconnect: everything up to this number was received. */
export interface AckMessage {
  readonly type: typeof MessageType.Ack;
  readonly sequenceId: number;
}

/** With stateful reconnect: the number of the next message, the first one over a new socket. */
export interface SequenceMessage {
  readonly type: typeof MessageType.Sequence;
  readonly sequenceId: number;
}

/** A message that calls a method. */
export type CallMessage = InvocationMessage | StreamInvocationMessage;

export type HubMessage =
  | InvocationMessage
  | StreamInvocationMessage
  | StreamItemMessage
  | CompletionMessage
  | CancelInvocationMessage
  | PingMessage
  | CloseMessage
  | AckMessage
  | SequenceMessage;

/** The client has broken the protocol, so that the connection has to end. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
