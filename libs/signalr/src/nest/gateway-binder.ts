import { type CanActivate, Injectable, type Type } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA, GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/internal';
import { GATEWAY_METADATA, GATEWAY_OPTIONS } from '@nestjs/websockets/constants.js';
import { HubError } from '../runtime/errors.js';
import type { Hub, HubLifecycle } from '../runtime/hub.js';
import type { HubMethodHandler, Invocation } from '../runtime/invocation.js';
import type { HubMethodDescriptor } from '../runtime/method-descriptor.js';
import { any } from '../runtime/wire-type.js';
import { hubMethodOf, type HubParameter, hubParametersOf } from './decorators.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Method = (...args: unknown[]) => unknown;

/** Features of Nest that hub methods do not run. To declare one is an error: to ignore it could open a hole. */
const UNSUPPORTED = { [PIPES_METADATA]: 'pipes', [INTERCEPTORS_METADATA]: 'interceptors', [EXCEPTION_FILTERS_METADATA]: 'filters' };

/** Binds the methods of gateways to hubs, once per gateway. */
@Injectable()
export class GatewayBinder {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Binds every gateway with the path of the hub. @throws Error when a gateway declares what hubs do not support */
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
      refuseUnsupported(gateway, method);
      const parameters = hubParametersOf(prototype, name);
      const descriptor = describe(declared, parameters, `${gateway.name}.${name}`);
      const call = caller(instance, method, parameters);
      const guards = guardsOf(wrapper, gateway, method);
      hub.method(descriptor, guards.length === 0 ? call : guarded(call, guards, gateway, method));
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

function refuseUnsupported(gateway: Type, method: Method): void {
  for (const [key, name] of Object.entries(UNSUPPORTED)) {
    if (!Reflect.hasMetadata(key, gateway) && !Reflect.hasMetadata(key, method)) continue;
    throw new Error(`${gateway.name} declares ${name}, which hub methods do not run: use wire types, guards and HubError.`);
  }
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

function caller(instance: object, method: Method, parameters: readonly HubParameter[]): HubMethodHandler {
  if (parameters.length === 0) return (invocation) => method.call(instance, invocation);
  const count = Math.max(0, ...parameters.map(({ position }) => position + 1));
  const readers = Array.from({ length: count }, (_, position) => parameters.find((parameter) => parameter.position === position));
  return (invocation) => {
    const args: unknown[] = [];
    for (const reader of readers) args.push(reader?.read(invocation));
    return method.apply(instance, args);
  };
}

/** The guards of the gateway, then those of the method. */
function guardsOf(wrapper: Wrapper, gateway: Type, method: Method): CanActivate[] {
  return [gateway, method].flatMap((target) => {
    const declared: (Type<CanActivate> | CanActivate)[] | undefined = Reflect.getMetadata(GUARDS_METADATA, target);
    return (declared ?? []).map((guard) => (typeof guard === 'function' ? resolveGuard(wrapper, guard) : guard));
  });
}

function resolveGuard(wrapper: Wrapper, guard: Type<CanActivate>): CanActivate {
  const instance = wrapper.host?.injectables.get(guard)?.instance;
  if (!(instance instanceof guard)) throw new Error(`The guard ${guard.name} cannot be resolved.`);
  return instance;
}

function guarded(call: HubMethodHandler, guards: readonly CanActivate[], gateway: Type, method: Method): HubMethodHandler {
  return async (invocation: Invocation) => {
    const context = new ExecutionContextHost([invocation.connection, invocation, invocation.method], gateway, method);
    context.setType('ws');
    for (const guard of guards) {
      if ((await guard.canActivate(context)) !== true) throw new HubError('Forbidden.');
    }
    return call(invocation);
  };
}
