// Checks of what was read. Both encodings use them, so that the same mistake gives the same error.

import { type InvocationMessage, MessageType, ProtocolError, type StreamInvocationMessage } from './messages.js';

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
export function requireArray(value: unknown, member: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ProtocolError(`Expected '${member}' to be of type Array.`);
  return value;
}

/** @throws ProtocolError unless `value` is an array of strings, null or absent; an empty array counts as absent */
export function optionalTexts(value: unknown, member: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const texts = requireArray(value, member).map((text) => requireText(text, member));
  return texts.length === 0 ? undefined : texts;
}

/** Reads a JSON object. @throws ProtocolError when `json` is something else; the error calls it `what` */
export function parseObject(json: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
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
    headers: fields.headers,
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
    headers: fields.headers,
  };
}
