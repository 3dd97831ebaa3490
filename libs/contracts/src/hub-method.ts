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

// Only a mapped type over a type parameter of its own keeps a tuple a tuple.
type Values<P extends readonly unknown[]> = { -readonly [K in keyof P]: Value<P[K]> };

/** The types of a method's arguments, as a tuple. Streams are async iterables. */
export type Arguments<M extends Pick<HubMethod, 'parameters'>> = Values<M['parameters']>;

/** The type of a method's result; void when it has none. */
export type Result<M> = M extends { readonly returns: infer R } ? Value<R> : void;

/** A method table: each method gets its key as its name. */
export type HubTable<T> = { readonly [K in keyof T]: T[K] & { readonly name: K } };

/** Makes a method table of descriptions that do not repeat their name. */
export function hub<const T extends UnnamedMethods>(methods: T): HubTable<T>;
export function hub(methods: UnnamedMethods): Record<string, HubMethod> {
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, { ...method, name }]));
}

type UnnamedMethods = Readonly<Record<string, Omit<HubMethod, 'name'>>>;
