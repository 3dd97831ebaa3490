import type { Infer, WireType } from './wire/wire-type.js';

/** A parameter or result that is a stream of items. */
export interface StreamType<T> {
  readonly stream: WireType<T>;
}

/** The type of a parameter or a result. */
export type Parameter = WireType<unknown> | StreamType<unknown>;

/** One method of a hub or of its clients. `docs/hubs.md` is made from these descriptions. */
export interface HubMethod {
  readonly name: string;
  /** The effect of the method, in sentences. */
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** The names of the parameters. Only people read them: on the wire parameters have an order and no names. */
  readonly parameterNames: readonly string[];
  /** The answer of the method; without it, the caller gets null. */
  readonly returns?: Parameter;
  /** True while the service does not serve the method, or does not call it. */
  readonly pending?: boolean;
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
