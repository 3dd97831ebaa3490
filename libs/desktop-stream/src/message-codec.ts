import { decode } from '@msgpack/msgpack';

import { binary, exactInt64, record, WireTypeError, type ContractType } from '#libs/contracts/wire';
import { MessagePackWriter, plainMemory } from '#libs/signalr/wire';

import { MAX_AGENT_MESSAGE_BYTES } from './limits.js';
import { messages, type MessageName, type MessageValue } from './messages/messages.js';
import { whole } from './types.js';

/** Bytes that are no message of the desktop stream. */
export class DesktopStreamError extends Error {
  override readonly name = 'DesktopStreamError';
}

/** The facts about every message that was received. */
interface Received {
  /** The time at which it was sent, on the clock of its sender. */
  readonly sentAt: bigint;
  /** Its bytes, for its acknowledgement. */
  readonly size: number;
}

/** A message that was received. */
export type Message<N extends MessageName = MessageName> = {
  [K in N]: Received & { readonly name: K; readonly value: MessageValue<K> };
}[N];

/** A message of a kind that is not known here. It is acknowledged, and otherwise skipped. */
export interface UnknownMessage extends Received {
  readonly name: null;
  readonly type: number;
}

/** Everything around the payload of a message. */
const Frame = record('Frame', 'One binary WebSocket message.', {
  dtoType: whole,
  payload: binary(MAX_AGENT_MESSAGE_BYTES),
  sendTimestamp: exactInt64,
});

const LIMITS = {
  useBigInt64: true,
  maxStrLength: MAX_AGENT_MESSAGE_BYTES,
  maxBinLength: MAX_AGENT_MESSAGE_BYTES,
  maxArrayLength: 10_000,
  maxMapLength: 1_000,
  maxExtLength: 1_000,
};

const NAMES: ReadonlyMap<number, MessageName> = new Map(namesOf(messages).map((name) => [messages[name].type, name]));

const payloads = new MessagePackWriter(plainMemory);
const frames = new MessagePackWriter(plainMemory);

/**
 * Encodes a message in the one form that the relay passes on: the three members of the frame in their order, and nothing after them.
 * `sentAt` is a time on the sender's own clock, in any unit.
 */
export function encodeMessage<N extends MessageName>(name: N, value: MessageValue<N>, sentAt: bigint): Uint8Array {
  const { type, payload } = kindOf(name);
  payloads.begin();
  payload.write(value, payloads);
  frames.begin();
  Frame.write({ dtoType: type, payload: payloads.end(), sendTimestamp: sentAt }, frames);
  return frames.end();
}

/**
 * Decodes a whole WebSocket message. The bytes of images are parts of `bytes`, without a copy.
 * @throws DesktopStreamError when the bytes are no message, or when its payload does not fit its kind
 */
export function decodeMessage(bytes: Uint8Array): Message | UnknownMessage {
  if (bytes.length > MAX_AGENT_MESSAGE_BYTES) throw new DesktopStreamError('The message is too long.');
  const { dtoType, payload, sendTimestamp } = reading(() => Frame.decode(decode(bytes, LIMITS), 'messagepack'));
  const received = { sentAt: sendTimestamp, size: bytes.length };
  const name = NAMES.get(dtoType);
  if (name === undefined) return { ...received, name: null, type: dtoType };
  const value = reading(() => messages[name].payload.decode(decode(payload, LIMITS), 'messagepack'), name);
  return asMessage({ ...received, name, value });
}

/** Runs `read`, whose errors mean that the bytes are no message. */
function reading<T>(read: () => T, name?: MessageName): T {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof WireTypeError ? error.message : 'The bytes are no MessagePack.';
    throw new DesktopStreamError(name === undefined ? reason : `${name}: ${reason}`, { cause: error });
  }
}

/** A kind with the type of its payload: the types of a table are not told apart by a name that is not known yet. */
function kindOf<N extends MessageName>(name: N): { readonly type: number; readonly payload: ContractType<MessageValue<N>> };
function kindOf(name: MessageName): object {
  return messages[name];
}

/** Types a message whose value was decoded by its name. */
function asMessage(message: Received & { readonly name: MessageName; readonly value: unknown }): Message;
function asMessage(message: object): object {
  return message;
}

function namesOf<K extends string>(object: Readonly<Record<K, unknown>>): K[];
function namesOf(object: object): string[] {
  return Object.keys(object);
}
