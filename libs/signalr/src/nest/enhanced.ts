import type { Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/internal';
import type { Invocation } from '../runtime/hub/invocation.js';

export type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
export type Method = (...args: unknown[]) => unknown;

/** A method of a gateway, around which Nest's guards, pipes, interceptors and filters run. */
export interface Enhanced {
  readonly wrapper: Wrapper;
  readonly gateway: Type;
  readonly method: Method;
  readonly name: string;
}

/** The declarations of `@UseGuards` and its like: for the gateway, then for the method. */
export function declaredFor<T>({ gateway, method }: Enhanced, key: string): readonly (T | Type<T>)[] {
  return [gateway, method].flatMap((target) => {
    const declared: (T | Type<T>)[] | undefined = Reflect.getMetadata(key, target);
    return declared ?? [];
  });
}

/**
 * The instance that Nest has made of a declared class, or the declared instance.
 * @param member a member that it has to have
 * @throws Error when there is none
 */
export function resolve<T extends object>({ wrapper }: Enhanced, declared: T | Type<T>, member: keyof T & string): T {
  const instance: unknown = typeof declared === 'function' ? wrapper.host?.injectables.get(declared)?.instance : declared;
  if (isUsable<T>(instance, member)) return instance;
  throw new Error(
    `${typeof declared === 'function' ? declared.name : 'What a gateway declares'} cannot be resolved, or has no ${member}().`,
  );
}

function isUsable<T extends object>(instance: unknown, member: keyof T & string): instance is T {
  return typeof instance === 'object' && instance !== null && typeof Reflect.get(instance, member) === 'function';
}

/** The context of a call for guards, interceptors and filters. */
export function contextOf({ gateway, method }: Enhanced, invocation: Invocation): ExecutionContextHost {
  const context = new ExecutionContextHost([invocation.connection, invocation, invocation.method], gateway, method);
  context.setType('ws');
  return context;
}
