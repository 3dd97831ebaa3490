import type { WireType } from './wire-type.js';

/** A parameter or result that is a stream of items. The program sees an `AsyncIterable`. */
export interface StreamParameter<T> {
  readonly stream: WireType<T>;
}

/** A method of the hub. Without `returns` its callers are answered null. */
export interface HubMethodDescriptor {
  readonly name: string;
  readonly parameters: readonly (WireType<unknown> | StreamParameter<unknown>)[];
  readonly returns?: WireType<unknown> | StreamParameter<unknown>;
}

export type ClientParameters = readonly WireType<unknown>[];

/** A method of the client. With `returns` the server can wait for its answer. */
export interface ClientMethodDescriptor<P extends ClientParameters = ClientParameters, R = unknown> {
  readonly name: string;
  readonly parameters: P;
  readonly returns?: WireType<R>;
}

/** The types of a client method's arguments, as a tuple. */
export type ClientArguments<P extends ClientParameters> = { -readonly [K in keyof P]: P[K] extends WireType<infer T> ? T : never };

export function isStream(parameter: WireType<unknown> | StreamParameter<unknown>): parameter is StreamParameter<unknown> {
  return 'stream' in parameter;
}

/** A parameter or result that is a stream of `items`. */
export function stream<T>(items: WireType<T>): StreamParameter<T> {
  return { stream: items };
}

/** Describes a method of the hub. */
export function hubMethod(
  name: string,
  parameters: HubMethodDescriptor['parameters'],
  returns?: HubMethodDescriptor['returns'],
): HubMethodDescriptor {
  return returns === undefined ? { name, parameters } : { name, parameters, returns };
}

/** Describes a method of the client. */
export function clientMethod<const P extends ClientParameters, R = never>(
  name: string,
  parameters: P,
  returns?: WireType<R>,
): ClientMethodDescriptor<P, R> {
  return returns === undefined ? { name, parameters } : { name, parameters, returns };
}
