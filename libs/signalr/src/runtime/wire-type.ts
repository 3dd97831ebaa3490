import { holdsBigInt } from '../protocol/exact-json.js';
import { toBase64, toJsonValue } from '../protocol/json-value.js';
import type { Encoding } from '../protocol/messages.js';
import { parseDate } from '../wire/precise-date.js';

/**
 * Converts a typed value to the form of an encoding, and back. `decode` is the only check of the values that clients send: the library
 * itself makes none.
 */
export interface WireType<T> {
  readonly name: string;
  encode(value: T, encoding: Encoding): unknown;
  /** @throws Error when `raw` does not fit. Its text is sent to the client */
  decode(raw: unknown, encoding: Encoding): T;
}

const TOO_LARGE = 'whole number of more than 53 bits, which takes the type bigint';

/**
 * Any value that JSON or MessagePack can express, unchecked. Bytes are base64 text in JSON. Values that only MessagePack can express, such
 * as a map with keys that are no text, have in JSON the form that .NET gives them. Whole numbers of more than 53 bits go over JSON as
 * {@link bigint} only: others would round them.
 */
export const any: WireType<unknown> = {
  name: 'any',
  encode: (value, encoding) => (encoding === 'json' ? toJsonValue(value) : value),
  decode(raw, encoding) {
    if (encoding === 'json' && holdsBigInt(raw)) throw new TypeError(`expected no ${TOO_LARGE}`);
    return raw;
  },
};

export const text: WireType<string> = checked('text', (raw): raw is string => typeof raw === 'string');

/** Any number. A whole one of more than 53 bits is refused, unless JSON has it with a fraction or an exponent. */
export const number: WireType<number> = checked('number', (raw): raw is number => typeof raw === 'number');

/** A whole number that a JavaScript number holds exactly: an integer of .NET up to 53 bits, such as the size of a file. */
export const integer: WireType<number> = checked('a whole number of at most 53 bits', (raw): raw is number => Number.isSafeInteger(raw));

/** A 64-bit integer with all its bits, such as the ticks of a time. Clients whose JSON knows only numbers of JavaScript round large ones. */
export const bigint: WireType<bigint> = {
  name: 'bigint',
  encode: (value, encoding) => (encoding === 'json' ? numberIfExact(value) : value),
  decode(raw) {
    const value = typeof raw === 'bigint' || Number.isSafeInteger(raw) ? BigInt(raw as bigint | number) : undefined;
    if (value === undefined || BigInt.asIntN(64, value) !== value) throw new TypeError('expected a whole number of 64 bits');
    return value;
  },
};

/** A date and time: a timestamp in MessagePack, ISO 8601 text in JSON. Ticks of .NET survive: see {@link PreciseDate}. */
export const date: WireType<Date> = {
  name: 'date',
  encode: (value) => value,
  decode(raw) {
    const value = typeof raw === 'string' ? parseDate(raw) : raw;
    if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw new TypeError('expected a date and time');
    return value;
  },
};

export const boolean: WireType<boolean> = checked('boolean', (raw): raw is boolean => typeof raw === 'boolean');

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Bytes: `bin` in MessagePack, base64 text in JSON. */
export const bytes: WireType<Uint8Array> = {
  name: 'bytes',
  encode(value, encoding) {
    return encoding === 'json' ? toBase64(value) : value;
  },
  decode(raw, encoding) {
    if (encoding === 'messagepack' && raw instanceof Uint8Array) return raw;
    if (encoding === 'json' && typeof raw === 'string' && BASE64.test(raw)) return Buffer.from(raw, 'base64');
    throw new TypeError(`expected bytes${encoding === 'json' ? ' as base64 text' : ''}`);
  },
};

function numberIfExact(value: bigint): number | bigint {
  const rounded = Number(value);
  return Number.isSafeInteger(rounded) ? rounded : value;
}

function checked<T>(name: string, fits: (raw: unknown) => raw is T): WireType<T> {
  return {
    name,
    encode: (value) => value,
    decode(raw) {
      if (!fits(raw)) throw new TypeError(`expected ${name}${typeof raw === 'bigint' ? ` and no ${TOO_LARGE}` : ''}`);
      return raw;
    },
  };
}
