import { bufferMemory, MessagePackReader, MessagePackWriter } from '#libs/signalr';

/**
 * The messages that carry calls and answers, in MessagePack:
 *
 * - calls: `[[number, method, made at, milliseconds left, arguments], …]`, the time in milliseconds by the database's clock
 * - answers: `[[number, answer], …]`
 */

/** One call in a message. */
export interface CarriedCall {
  readonly number: number;
  readonly method: string;
  /** By the database's clock, in milliseconds. */
  readonly madeAt: number;
  readonly msLeft: number;
  readonly args: readonly unknown[];
}

/** One answer in a message. */
export interface CarriedAnswer {
  readonly number: number;
  readonly answer: readonly unknown[];
}

/** Most calls or answers in a message that is read. */
const MAXIMUM_PARTS = 65_536;

const writer = new MessagePackWriter(bufferMemory);

/** Writes a call, to be joined with others. @throws TypeError when an argument has no form in MessagePack */
export function writeCall({ number, method, madeAt, msLeft, args }: CarriedCall): Buffer {
  writer.begin();
  writer.arrayHeader(5);
  writer.integer(number);
  writer.text(method);
  writer.integer(Math.floor(madeAt));
  writer.integer(Math.ceil(msLeft));
  writer.value(args);
  return writer.end();
}

/** Writes an answer, to be joined with others. @throws TypeError when it has no form in MessagePack */
export function writeAnswer({ number, answer }: CarriedAnswer): Buffer {
  writer.begin();
  writer.arrayHeader(2);
  writer.integer(number);
  writer.value(answer);
  return writer.end();
}

/** Joins written calls, or written answers, to one message. */
export function joinParts(parts: readonly Buffer[]): Buffer {
  writer.begin();
  writer.arrayHeader(parts.length);
  return Buffer.concat([writer.end(), ...parts]);
}

/** Reads calls; null for bytes that hold none in this form. */
export function readCalls(payload: Uint8Array): readonly CarriedCall[] | null {
  const parts = readValue(payload);
  if (!isParts(parts)) return null;
  const calls: CarriedCall[] = [];
  for (const part of parts) {
    if (!isList(part, 5)) return null;
    const [number, method, madeAt, msLeft, args] = part;
    if (typeof number !== 'number' || typeof method !== 'string' || !Array.isArray(args)) return null;
    if (typeof madeAt !== 'number' || typeof msLeft !== 'number') return null;
    calls.push({ number, method, madeAt, msLeft, args });
  }
  return calls;
}

/** Reads answers; null for bytes that hold none in this form. */
export function readAnswers(payload: Uint8Array): readonly CarriedAnswer[] | null {
  const parts = readValue(payload);
  if (!isParts(parts)) return null;
  const answers: CarriedAnswer[] = [];
  for (const part of parts) {
    if (!isList(part, 2)) return null;
    const [number, answer] = part;
    if (typeof number !== 'number' || !Array.isArray(answer)) return null;
    answers.push({ number, answer });
  }
  return answers;
}

/** Reads one value; undefined for bytes that hold none, or more than one. */
export function readValue(payload: Uint8Array): unknown {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const reader = new MessagePackReader(bytes, 0, bytes.length);
  try {
    const value = reader.value();
    return reader.isAtEnd ? value : undefined;
  } catch {
    return undefined;
  }
}

function isList(value: unknown, length: number): value is readonly unknown[] {
  return Array.isArray(value) && value.length === length;
}

function isParts(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= MAXIMUM_PARTS;
}
