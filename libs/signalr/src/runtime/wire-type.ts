import type { Encoding } from '../protocol/messages.js';

/**
 * Turns a typed value into what an encoding writes, and back. `decode` is the only check of the values that clients send: the
 * library itself makes none.
 */
export interface WireType<T> {
  readonly name: string;
  encode(value: T, encoding: Encoding): unknown;
  /** @throws Error when `raw` does not fit. Its text is sent to the client */
  decode(raw: unknown, encoding: Encoding): T;
}

/** Any value that JSON or MessagePack can express, unchecked. */
export const any: WireType<unknown> = { name: 'any', encode: (value) => value, decode: (raw) => raw };

export const text: WireType<string> = checked('text', (raw): raw is string => typeof raw === 'string');

export const number: WireType<number> = checked('number', (raw): raw is number => typeof raw === 'number');

export const boolean: WireType<boolean> = checked('boolean', (raw): raw is boolean => typeof raw === 'boolean');

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Bytes: `bin` in MessagePack, base64 text in JSON. */
export const bytes: WireType<Uint8Array> = {
  name: 'bytes',
  encode(value, encoding) {
    if (encoding === 'messagepack') return value;
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  },
  decode(raw, encoding) {
    if (encoding === 'messagepack' && raw instanceof Uint8Array) return raw;
    if (encoding === 'json' && typeof raw === 'string' && BASE64.test(raw)) return Buffer.from(raw, 'base64');
    throw new TypeError(`expected bytes${encoding === 'json' ? ' as base64 text' : ''}`);
  },
};

function checked<T>(name: string, fits: (raw: unknown) => raw is T): WireType<T> {
  return {
    name,
    encode: (value) => value,
    decode(raw) {
      if (!fits(raw)) throw new TypeError(`expected ${name}`);
      return raw;
    },
  };
}
