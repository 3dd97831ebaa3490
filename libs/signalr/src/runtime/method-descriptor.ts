import type { WireType } from './wire-type.js';

/** A parameter or result that is a stream of items; the program sees an `AsyncIterable`. */
export interface StreamParameter<T> {
  readonly stream: WireType<T>;
}

/** A method of the hub. Without `returns` its caller gets an answer with no value. */
export interface HubMethodDescriptor {
  readonly name: string;
  readonly parameters: readonly (WireType<unknown> | StreamParameter<unknown>)[];
  readonly returns?: WireType<unknown> | StreamParameter<unknown>;
}

/** A method of the client. With `returns` it can be invoked, not only sent. */
export interface ClientMethodDescriptor {
  readonly name: string;
  readonly parameters: readonly WireType<unknown>[];
  readonly returns?: WireType<unknown>;
}

/** The types of a client method's arguments, as a tuple. */
export type ClientArguments<M extends ClientMethodDescriptor> = Values<M['parameters']>;

type Values<P extends readonly WireType<unknown>[]> = { -readonly [K in keyof P]: P[K] extends WireType<infer T> ? T : never };

/** What an invoked client method answers; null is what clients send when their handler failed. */
export type ClientResult<M> = M extends { readonly returns: WireType<infer T> } ? T | null : null;

export function isStream(parameter: WireType<unknown> | StreamParameter<unknown>): parameter is StreamParameter<unknown> {
  return 'stream' in parameter;
}

/** Describes a stream of `items`. */
export function stream<T>(items: WireType<T>): StreamParameter<T> {
  return { stream: items };
}

/** Describes a hub method in one line. */
export function hubMethod(
  name: string,
  parameters: HubMethodDescriptor['parameters'],
  returns?: HubMethodDescriptor['returns'],
): HubMethodDescriptor {
  return returns === undefined ? { name, parameters } : { name, parameters, returns };
}

/** Describes a client method in one line. */
export function clientMethod<const P extends readonly WireType<unknown>[]>(name: string, parameters: P): { name: string; parameters: P };
export function clientMethod<const P extends readonly WireType<unknown>[], R extends WireType<unknown>>(
  name: string,
  parameters: P,
  returns: R,
): { name: string; parameters: P; returns: R };
export function clientMethod(name: string, parameters: readonly WireType<unknown>[], returns?: WireType<unknown>): ClientMethodDescriptor {
  return returns === undefined ? { name, parameters } : { name, parameters, returns };
}
