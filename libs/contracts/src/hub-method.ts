import type { Infer, WireType } from './wire/wire-type.js';

/** A parameter or result that is a stream of items. */
export interface StreamType<T> {
  readonly stream: WireType<T>;
}

/** One method of a hub or of its clients. No `returns` means that the method answers nothing. */
export interface HubMethod {
  readonly name: string;
  readonly parameters: readonly (WireType<unknown> | StreamType<unknown>)[];
  readonly returns?: WireType<unknown> | StreamType<unknown>;
}

type Value<P> = P extends StreamType<infer T> ? AsyncIterable<T> : Infer<P>;

/** The types of a method's arguments, as a tuple. Streams are async iterables. */
export type Arguments<M extends Pick<HubMethod, 'parameters'>> = { -readonly [K in keyof M['parameters']]: Value<M['parameters'][K]> };

/** The type of a method's result; void when it has none. */
export type Result<M> = M extends { readonly returns: infer R } ? Value<R> : void;

/** A method table: each method gets its key as its name. */
export type HubTable<T> = { readonly [K in keyof T]: T[K] & { readonly name: K } };

/** Makes a method table of descriptions that do not repeat their name. */
export function hub<const T extends Readonly<Record<string, Omit<HubMethod, 'name'>>>>(methods: T): HubTable<T> {
  const named = Object.entries(methods).map(([name, method]) => [name, { ...method, name }]);
  return Object.fromEntries(named) as HubTable<T>;
}
