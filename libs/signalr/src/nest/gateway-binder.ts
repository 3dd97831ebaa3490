import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { GATEWAY_METADATA, GATEWAY_OPTIONS } from '@nestjs/websockets/constants.js';
import type { Hub, HubLifecycle } from '../runtime/hub/hub.js';
import { type CallHandler, filterCalls } from '../runtime/hub/hub-filter.js';
import type { HubMethodDescriptor } from '../runtime/calls/method-descriptor.js';
import { any } from '../runtime/wire-type.js';
import { hubMethodOf, type HubParameter, hubParametersOf } from './decorators.js';
import { type Enhanced, type Method, type Wrapper } from './enhanced.js';
import { enhancersOf } from './enhancers.js';
import { applyPipes, type ParameterPipes, pipesOf } from './pipes.js';

/** Binds the methods of gateways to hubs, once per gateway. */
@Injectable()
export class GatewayBinder {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Binds every gateway with the path of the hub. @throws Error when a gateway declares something that hubs do not support */
  bind(hub: Hub): void {
    for (const wrapper of this.discovery.getProviders()) {
      const { metatype } = wrapper;
      if (isClass(metatype) && isGatewayOf(hub.path, metatype)) this.#bindGateway(hub, wrapper, metatype);
    }
  }

  #bindGateway(hub: Hub, wrapper: Wrapper, gateway: Type): void {
    if (!wrapper.isDependencyTreeStatic()) throw new Error(`${gateway.name} is request-scoped; gateways of hubs are singletons.`);
    const instance: HubLifecycle = wrapper.instance;
    if (instance.onConnected !== undefined || instance.onDisconnected !== undefined) hub.lifecycle(instance);

    const prototype: Record<string, Method> = Object.getPrototypeOf(instance);
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const method = prototype[name];
      const declared = hubMethodOf(method);
      if (declared === undefined) continue;
      const parameters = hubParametersOf(prototype, name);
      const descriptor = describe(declared, parameters, `${gateway.name}.${name}`);
      const enhanced: Enhanced = { wrapper, gateway, method, name };
      const pipes = pipesOf(enhanced, parameters);
      const call = pipes === undefined ? caller(instance, method, parameters) : pipedCaller(instance, method, parameters, pipes);
      hub.method(descriptor, filterCalls(enhancersOf(enhanced), call));
    }
  }
}

/** False for providers that are values or factories. */
function isClass(metatype: Wrapper['metatype']): metatype is Type {
  return typeof metatype === 'function' && typeof metatype.prototype === 'object';
}

function isGatewayOf(path: string, metatype: Type): boolean {
  if (Reflect.getMetadata(GATEWAY_METADATA, metatype) !== true) return false;
  const options: { path?: string } | undefined = Reflect.getMetadata(GATEWAY_OPTIONS, metatype);
  return options?.path === path;
}

/** The descriptor of a method. One that is declared by its name alone takes as many unchecked values as it has `@Argument`s. */
function describe(declared: string | HubMethodDescriptor, parameters: readonly HubParameter[], where: string): HubMethodDescriptor {
  const taken = Math.max(0, ...parameters.map(({ argument }) => (argument ?? -1) + 1));
  if (typeof declared === 'string') return { name: declared, parameters: Array.from({ length: taken }, () => any), returns: any };
  if (taken > declared.parameters.length) {
    throw new Error(`${where} asks for argument ${taken - 1}, but '${declared.name}' has ${declared.parameters.length} parameter(s).`);
  }
  return declared;
}

/** Calls a method without pipes. */
function caller(instance: object, method: Method, parameters: readonly HubParameter[]): CallHandler {
  if (parameters.length === 0) return (invocation) => method.call(instance, invocation);
  const readers = byPosition(parameters);
  return (invocation) => {
    const args: unknown[] = [];
    for (const reader of readers) args.push(reader?.read(invocation));
    return method.apply(instance, args);
  };
}

/** Calls a method when its pipes have seen its arguments. */
function pipedCaller(instance: object, method: Method, parameters: readonly HubParameter[], pipes: ParameterPipes): CallHandler {
  const readers = byPosition(parameters);
  return async (invocation) => {
    const args: unknown[] = [];
    for (const reader of readers) {
      const value = reader?.read(invocation);
      args.push(reader === undefined ? undefined : await applyPipes(pipes, reader, value));
    }
    return method.apply(instance, args);
  };
}

/** The decorated parameters by their position in the TypeScript method; undefined for one that is not decorated. */
function byPosition(parameters: readonly HubParameter[]): readonly (HubParameter | undefined)[] {
  const count = Math.max(0, ...parameters.map(({ position }) => position + 1));
  return Array.from({ length: count }, (_, position) => parameters.find((parameter) => parameter.position === position));
}
