import { WireTypeError, float64, int32, type ContractType } from '#libs/contracts/wire';

import { MAX_METRIC_LENGTH } from './limits.js';

/** Most members of a map of texts. */
const MAX_TEXTS = 256;

/** A whole number of 32 bits, in an integer of any width. */
export const whole: ContractType<number> = {
  ...int32,
  decode: (raw, encoding) => int32.decode(typeof raw === 'bigint' ? Number(raw) : raw, encoding),
};

/** A number that is written in 32 bits, and read from any. */
export const float32: ContractType<number> = { ...float64, name: 'float32', write: (value, writer) => writer.single(value) };

/** A message without members. Senders write an empty map or an empty list; receivers take anything. */
export function nothing(form: 'map' | 'list'): ContractType<Nothing> {
  return {
    name: 'nothing',
    absent: () => NOTHING,
    encode: () => (form === 'map' ? {} : []),
    decode: () => NOTHING,
    write: (_, writer) => (form === 'map' ? writer.mapHeader(0) : writer.arrayHeader(0)),
  };
}

/** The value of a message without members. */
export type Nothing = Readonly<Record<string, never>>;
export const NOTHING: Nothing = {};

/** An enumeration whose unknown numbers read as its default, so that a newer sender is understood as far as possible. */
export function orDefault<T extends number>(type: ContractType<T> & { readonly values: Readonly<Record<string, T>> }): ContractType<T> {
  const known = new Set<unknown>(Object.values(type.values));
  return {
    ...type,
    decode: (raw, encoding) => (typeof raw === 'number' && !known.has(raw) ? type.absent() : type.decode(raw, encoding)),
  };
}

/** Texts by name. */
export const texts: ContractType<Readonly<Record<string, string>>> = {
  name: 'map of string to string',
  absent: () => ({}),
  encode: (value) => value,
  decode(raw) {
    if (raw === null) return {};
    if (typeof raw !== 'object' || Array.isArray(raw)) throw new WireTypeError('must be a map');
    const entries: [string, unknown][] = Object.entries(raw);
    if (entries.length > MAX_TEXTS) throw new WireTypeError(`must not have more than ${MAX_TEXTS} members`);
    return Object.fromEntries(entries.map(([name, value]) => [name, metric(name, value)]));
  },
  write(value, writer) {
    const entries = Object.entries(value);
    writer.mapHeader(entries.length);
    for (const [name, text] of entries) {
      writer.text(name);
      writer.text(text);
    }
  },
};

function metric(name: string, value: unknown): string {
  if (value === null) return '';
  if (typeof value !== 'string') throw new WireTypeError('must be a string', name);
  if (name.length > MAX_METRIC_LENGTH || value.length > MAX_METRIC_LENGTH) throw new WireTypeError('is too long', name.slice(0, 100));
  return value;
}
