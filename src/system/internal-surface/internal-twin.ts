import { Controller, HttpCode, RequestMethod, type Type } from '@nestjs/common';
import { INTERCEPTORS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';

import { TENANT_SOURCE, TenantOfCaller, type TenantSource } from '../../access/authorization/guard/access.js';
import { LOCATION, LocationHeader } from '../../platform/http/addresses/created-location.js';
import { PATH_SEGMENTS } from '../../platform/http/binding/route-parameters.js';
import { BareList } from '../../platform/http/bodies/bare-list.js';
import { EntityTagHeader, TAGGED_STATE, TAKES_IF_MATCH } from '../../platform/http/bodies/entity-tags.js';
import { beforeDescription } from '../../platform/http/described.js';
import { FailsAs, type FailureForms } from '../../platform/http/problems/failure-forms.js';
import { ReplacedBy } from '../../platform/http/replaced-by.js';
import { copyDescription, DESCRIBED_PARAMETERS, describeAnswer } from './described-answer.js';

/*
 * Internal routes are twins of routes of version 1: the same handlers with the same access, binding and words, at another path. Their
 * differences are declared; their behaviour is written in the controllers of version 1 only.
 */

/** Differences of an internal route from its twin. Besides, it is deprecated, and works in the tenant of its caller. */
export interface Differences {
  /** Path below that of the controller, with the segments of the twin. */
  readonly path?: string;
  /** Status of success. */
  readonly status?: number;
  /** Body of success. */
  readonly answer?: Type<object>;
  /** True if a list is answered as an array instead of `{ items }`. */
  readonly bareList?: boolean;
  /** True if it works in the tenant of its caller although the twin takes none. */
  readonly inTenantOfCaller?: boolean;
  /** Failures that are not answered with Problem Details of their own status. */
  readonly failures?: FailureForms;
}

/** The names of a controller's methods. */
type MethodName<C extends Type<object>> = {
  [K in keyof InstanceType<C>]: InstanceType<C>[K] extends (...values: never[]) => unknown ? K : never;
}[keyof InstanceType<C>] &
  string;

type Handler = (this: object, ...values: unknown[]) => unknown;

/** Metadata that a twin does not take over, because its answers have neither `Location` nor `ETag`. */
const LEFT_OUT: readonly unknown[] = [LOCATION, TAGGED_STATE, TAKES_IF_MATCH];
const LEFT_OUT_INTERCEPTORS: readonly unknown[] = [LocationHeader, EntityTagHeader];
/** Metadata that a twin's own handler declares itself. */
const SAID_BY_HANDLER: readonly unknown[] = [PATH_METADATA, METHOD_METADATA, PATH_SEGMENTS, DESCRIBED_PARAMETERS];

/**
 * A controller with twins of the listed routes of `v1`, each with its differences. Routes that take another body or other path segments
 * are added by a class that extends it; see {@link TwinOf}.
 */
export function internalTwinOf<C extends Type<object>>(
  v1: C,
  path: string,
  routes: Readonly<Partial<Record<MethodName<C>, Differences>>>,
): C {
  const Base: Type<object> = v1;
  class InternalTwin extends Base {}
  Controller(path)(InternalTwin);
  if (Reflect.hasMetadata(TENANT_SOURCE, v1)) TenantOfCaller()(InternalTwin);
  const listed: Readonly<Record<string, Differences | undefined>> = routes;
  for (const [name, handler] of handlersOf(v1)) {
    // Also those that are not listed: without metadata of their own, the inherited handlers would be routes.
    const twin = calling(handler, name);
    const descriptor = { value: twin, writable: true, configurable: true };
    Object.defineProperty(InternalTwin.prototype, name, descriptor);
    const differences = listed[name];
    if (differences === undefined) continue;
    copyMetadata(handler, twin, LEFT_OUT);
    if (differences.path !== undefined) Reflect.defineMetadata(PATH_METADATA, differences.path, twin);
    for (const decorate of decoratorsOf(v1, handler, twin, differences)) decorate(InternalTwin.prototype, name, descriptor);
  }
  return InternalTwin as C;
}

/**
 * Makes a handler the twin of a route of `v1` that takes another body or other path segments. Access, answers and words are those of that
 * route. Stands above the decorator with the method.
 */
export function TwinOf<C extends Type<object>>(v1: C, name: MethodName<C>, differences: Omit<Differences, 'path'> = {}): MethodDecorator {
  return (prototype, key, descriptor) => {
    const own: unknown = descriptor.value;
    const handler = handlersOf(v1).get(name);
    if (handler === undefined) throw new Error(`${v1.name} has no route ${name}.`);
    if (typeof own !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, own)) {
      throw new Error(`Below TwinOf, ${String(key)} has no decorator with its method.`);
    }
    copyMetadata(handler, own, [...LEFT_OUT, ...SAID_BY_HANDLER]);
    for (const decorate of decoratorsOf(v1, handler, own, differences)) decorate(prototype, key, descriptor);
  };
}

/** The routes of a controller by the names of their handlers, in its order. */
function handlersOf(controller: Type<object>): ReadonlyMap<string, Handler> {
  const prototype = controller.prototype as Readonly<Record<string, unknown>>;
  const names = Object.getOwnPropertyNames(prototype);
  return new Map(
    names.flatMap((name) => {
      const value = prototype[name];
      return typeof value === 'function' && Reflect.hasMetadata(METHOD_METADATA, value) ? [[name, value as Handler]] : [];
    }),
  );
}

/** A function of the same name that calls the handler. Binding finds its parameters by that name. */
function calling(handler: Handler, name: string): Handler {
  const twin: Handler = function (...values) {
    return handler.apply(this, values);
  };
  return Object.defineProperty(twin, 'name', { value: name });
}

function copyMetadata(from: object, to: object, except: readonly unknown[]): void {
  beforeDescription(() => copyDescription(from, to, except));
  for (const key of Reflect.getOwnMetadataKeys(from) as (string | symbol)[]) {
    if (!except.includes(key)) Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, from), to);
  }
  const interceptors = Reflect.getOwnMetadata(INTERCEPTORS_METADATA, to) as readonly unknown[] | undefined;
  if (interceptors !== undefined) {
    const remaining = interceptors.filter((interceptor) => !LEFT_OUT_INTERCEPTORS.includes(interceptor));
    Reflect.defineMetadata(INTERCEPTORS_METADATA, remaining, to);
  }
}

/** Decorators that declare the differences of a twin, which has the metadata of the route already. */
function decoratorsOf(v1: Type<object>, handler: Handler, twin: object, differences: Differences): readonly MethodDecorator[] {
  const { status, answer, bareList = false, inTenantOfCaller = false, failures } = differences;
  const tenant = tenantSourceOf(v1, handler);
  beforeDescription(() => describeAnswer(twin, { status, answer, bareList }));
  return [
    ReplacedBy(replacementOf(v1, handler, twin, tenant)),
    ...(tenant !== undefined || inTenantOfCaller ? [TenantOfCaller()] : []),
    ...(status === undefined ? [] : [HttpCode(status)]),
    ...(bareList ? [BareList()] : []),
    ...(failures === undefined ? [] : [FailsAs(failures)]),
  ];
}

function tenantSourceOf(v1: Type<object>, handler: Handler): TenantSource | undefined {
  return (Reflect.getMetadata(TENANT_SOURCE, handler) ?? Reflect.getMetadata(TENANT_SOURCE, v1)) as TenantSource | undefined;
}

/** The route of version 1 to use instead, with the tenant in its query if it takes it there. */
function replacementOf(v1: Type<object>, handler: Handler, twin: object, tenant: TenantSource | undefined): string {
  const methodOf = (target: object): RequestMethod => Reflect.getMetadata(METHOD_METADATA, target) as RequestMethod;
  const pathOf = (target: object): string => Reflect.getMetadata(PATH_METADATA, target) as string;
  const segments = [pathOf(v1), pathOf(handler)].flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  const path = segments.map((segment) => segment.replace(/^:(\w+)$/, '{$1}')).join('/');
  const verb = methodOf(twin) === methodOf(handler) ? '' : `${RequestMethod[methodOf(handler)]} `;
  return `${verb}/${path}${tenant?.carrier === 'query' ? '?tenantId={tenantId}' : ''}`;
}
