// Checks of values that were read. Both encodings use them, so that the same mistake gives the same error.

import { parseExactly } from './exact-json.js';
import { type Headers, type InvocationMessage, MessageType, ProtocolError, type StreamInvocationMessage } from './messages.js';

/** @throws ProtocolError unless `value` is a string */
export function requireText(value: unknown, member: string): string {
  if (typeof value !== 'string') throw new ProtocolError(`Expected '${member}' to be of type String.`);
  return value;
}

/** @throws ProtocolError unless `value` is a string, null or absent */
export function optionalText(value: unknown, member: string): string | undefined {
  return value === undefined || value === null ? undefined : requireText(value, member);
}

/** @throws ProtocolError unless `value` is an array */
function requireArray(value: unknown, member: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ProtocolError(`Expected '${member}' to be of type Array.`);
  return value;
}

/** @throws ProtocolError unless `value` is an array of strings, null or absent; an empty array counts as absent */
function optionalTexts(value: unknown, member: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const texts = requireArray(value, member).map((text) => requireText(text, member));
  return texts.length === 0 ? undefined : texts;
}

/**
 * The headers of a message, which are texts by name; none count as absent.
 * @throws ProtocolError when they are no object, or one of them is no string
 */
export function optionalHeaders(value: unknown): Headers | undefined {
  if (value === undefined) return undefined;
  if (!isMap(value)) throw new ProtocolError("Expected 'headers' to be of type Object.");
  if (value instanceof Map) throw new ProtocolError("Expected the names of 'headers' to be of type String.");
  let count = 0;
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw new ProtocolError(`Expected header '${name}' to be of type String.`);
    count++;
  }
  return count === 0 ? undefined : (value as Headers);
}

/** An object of JSON, or a map of MessagePack, which is a `Map` when one of its keys is no text. */
function isMap(value: unknown): value is object {
  return isObject(value) && !(value instanceof Uint8Array) && !(value instanceof Date);
}

/** Reads a JSON object. Whole numbers in it that are not exact as numbers are BigInts. @throws ProtocolError when `json` is something else; the error calls it `what` */
export function parseObject(json: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseExactly(json);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw new ProtocolError(`The ${what} is no JSON.`, { cause: error });
  }
  if (!isObject(value)) throw new ProtocolError(`The ${what} is no JSON object.`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws ProtocolError unless `value` is a whole number */
export function requireInteger(value: unknown, member: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new ProtocolError(`Expected '${member}' to be of type Integer.`);
  return value;
}

/** The members of a call, as they were read. */
export interface CallFields {
  readonly invocationId?: unknown;
  readonly target?: unknown;
  readonly arguments?: unknown;
  readonly streamIds?: unknown;
  readonly headers?: unknown;
}

/** Makes an invocation of its members. @throws ProtocolError when one of them has the wrong type */
export function toInvocation(fields: CallFields): InvocationMessage {
  return {
    type: MessageType.Invocation,
    invocationId: optionalText(fields.invocationId, 'invocationId'),
    target: requireText(fields.target, 'target'),
    arguments: requireArray(fields.arguments, 'arguments'),
    streamIds: optionalTexts(fields.streamIds, 'streamIds'),
    headers: optionalHeaders(fields.headers),
  };
}

/** Makes a stream invocation of its members. @throws ProtocolError when one of them has the wrong type */
export function toStreamInvocation(fields: CallFields): StreamInvocationMessage {
  return {
    type: MessageType.StreamInvocation,
    invocationId: requireText(fields.invocationId, 'invocationId'),
    target: requireText(fields.target, 'target'),
    arguments: requireArray(fields.arguments, 'arguments'),
    streamIds: optionalTexts(fields.streamIds, 'streamIds'),
    headers: optionalHeaders(fields.headers),
  };
}
