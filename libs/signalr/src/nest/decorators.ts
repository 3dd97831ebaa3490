import { applyDecorators, Inject, type PipeTransform, SetMetadata, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { SubscribeMessage } from '@nestjs/websockets';
import type { HubConnection } from '../runtime/connection/hub-connection.js';
import type { Invocation } from '../runtime/hub/invocation.js';
import type { HubMethodDescriptor, HubReturn } from '../runtime/calls/method-descriptor.js';

const HUB_METHOD = 'signalr:hub_method';
const HUB_PARAMETERS = 'signalr:hub_parameters';

/** A parameter of a gateway method, with the source of its value. */
export interface HubParameter {
  /** The position of the parameter in the TypeScript method. */
  readonly position: number;
  read(invocation: Invocation): unknown;
  /** For `@Argument`: the index of the argument of the hub method. */
  readonly argument?: number;
  /** The pipes of this parameter. Undefined when none run on it, not even those of the method. */
  readonly pipes?: readonly Pipe[];
}

/** A pipe, or the class of one that Nest makes. */
export type Pipe = PipeTransform | Type<PipeTransform>;

/** A decorator of methods that return the result of the hub's method. */
type HubMethodDecorator<D> = <R extends HubReturn<D> | PromiseLike<HubReturn<D>>>(
  target: object,
  key: string | symbol,
  property: TypedPropertyDescriptor<(...parameters: never[]) => R>,
) => void;

/**
 * Lets clients call a gateway method. A name alone declares a method that takes and returns unchecked values. A descriptor
 * declares their types; methods with streams need one. Without decorated parameters, the method gets the `Invocation`.
 */
export function HubMethod<D extends HubMethodDescriptor>(method: D): HubMethodDecorator<D>;
export function HubMethod(method: string): MethodDecorator;
export function HubMethod(method: string | HubMethodDescriptor): MethodDecorator {
  const name = typeof method === 'string' ? method : method.name;
  return applyDecorators(SubscribeMessage(name), SetMetadata(HUB_METHOD, method));
}

/** The method that `@HubMethod` declares. Undefined without the decorator. */
export function hubMethodOf(method: object): string | HubMethodDescriptor | undefined {
  const declared: string | HubMethodDescriptor | undefined = Reflect.getMetadata(HUB_METHOD, method);
  return declared;
}

/**
 * Makes a parameter decorator that takes its value from the call. `read` runs once per call and should be fast.
 * @param pipes run on the value, after those of the gateway and the method
 */
export function hubParameter(read: (invocation: Invocation) => unknown, ...pipes: Pipe[]): ParameterDecorator {
  return (target, key, position) => addParameter(target, key, { position, read, pipes });
}

/** Injects the connection of the client that calls. */
export const Caller = (): ParameterDecorator => unpiped((invocation): HubConnection => invocation.connection);

/**
 * Injects an argument of the call. `index` counts from 0 in the order of the hub method's parameters, streams included.
 * @param pipes run on the argument, after those of the gateway and the method
 */
export function Argument(index: number, ...pipes: Pipe[]): ParameterDecorator {
  const read = (invocation: Invocation): unknown => invocation.args[index];
  return (target, key, position) => addParameter(target, key, { position, read, argument: index, pipes });
}

/** Injects an `AbortSignal` that is aborted when the client cancels the call or disconnects. */
export const InvocationAbort = (): ParameterDecorator => unpiped((invocation) => invocation.signal);

/** The decorated parameters of a gateway method. */
export function hubParametersOf(gateway: object, method: string | symbol): readonly HubParameter[] {
  const parameters: HubParameter[] | undefined = Reflect.getMetadata(HUB_PARAMETERS, gateway, method);
  return parameters ?? [];
}

/** The injection token of the `HubContext` of the hub at `path`. */
export function hubToken(path: string): string {
  return `HubContext:${path}`;
}

/** Injects the `HubContext` of the hub at `path`. `SignalRModule.forHubs` must name that path. */
export const InjectHub = (path: string): ReturnType<typeof Inject> => Inject(hubToken(path));

function unpiped(read: (invocation: Invocation) => unknown): ParameterDecorator {
  return (target, key, position) => addParameter(target, key, { position, read });
}

function addParameter(target: object, key: string | symbol | undefined, parameter: HubParameter): void {
  if (key === undefined) throw new TypeError('Hub parameters belong to methods, not to constructors.');
  // A method that replaces one of its parent class has parameters of its own.
  const declared: HubParameter[] | undefined = Reflect.getOwnMetadata(HUB_PARAMETERS, target, key);
  Reflect.defineMetadata(HUB_PARAMETERS, [...(declared ?? []), parameter], target, key);
  const { pipes = [], position } = parameter;
  if (pipes.length === 0) return;
  // Nest looks here for the classes of pipes that it has to make.
  const known: object | undefined = Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, key);
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, { ...known, [`hub:${position}`]: { index: position, pipes } }, target.constructor, key);
}
