import type { StreamSource } from '../streams/stream-source.js';
import type { WireType } from '../wire-type.js';

/** A parameter or result that is a stream of items. The program sees an `AsyncIterable`. */
export interface StreamParameter<T> {
  readonly stream: WireType<T>;
}

export type HubParameter = WireType<unknown> | StreamParameter<unknown>;

/** A method of the hub. Without `returns` its callers get null. */
export interface HubMethodDescriptor {
  readonly name: string;
  readonly parameters: readonly HubParameter[];
  readonly returns?: HubParameter;
}

type HubValue<P> = P extends StreamParameter<infer T> ? AsyncIterable<T> : P extends WireType<infer T> ? T : never;
// Only a mapped type over a type parameter of its own keeps a tuple a tuple.
type HubValues<P extends readonly unknown[]> = { readonly [K in keyof P]: HubValue<P[K]> };

/** The types of a hub method's arguments, as a tuple. */
export type HubArguments<D extends HubMethodDescriptor> = HubValues<D['parameters']>;

/** The result of a hub method: a value, or the source of a stream. Without `returns` it does not matter. */
export type HubReturn<D> = D extends { readonly returns: infer R }
  ? R extends StreamParameter<infer T>
    ? StreamSource<T>
    : R extends WireType<infer T>
      ? T
      : never
  : unknown;

export type ClientParameters = readonly WireType<unknown>[];

/** A method of the client. With `returns` the server can wait for its answer. */
export interface ClientMethodDescriptor<P extends ClientParameters = ClientParameters, R = unknown> {
  readonly name: string;
  readonly parameters: P;
  readonly returns?: WireType<R>;
}

/** The types of a client method's arguments, as a tuple. */
export type ClientArguments<P extends ClientParameters> = { readonly [K in keyof P]: P[K] extends WireType<infer T> ? T : never };

export function isStream(parameter: HubParameter): parameter is StreamParameter<unknown> {
  return 'stream' in parameter;
}

/** A parameter or result that is a stream of `items`. */
export function stream<T>(items: WireType<T>): StreamParameter<T> {
  return { stream: items };
}

/** Describes a method of the hub. */
export function hubMethod<const P extends readonly HubParameter[]>(
  name: string,
  parameters: P,
): { readonly name: string; readonly parameters: P };
export function hubMethod<const P extends readonly HubParameter[], R extends HubParameter>(
  name: string,
  parameters: P,
  returns: R,
): { readonly name: string; readonly parameters: P; readonly returns: R };
export function hubMethod(name: string, parameters: readonly HubParameter[], returns?: HubParameter): HubMethodDescriptor {
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
