import { AsyncResource } from 'node:async_hooks';
import type { CanActivate, ExceptionFilter, ExecutionContext, NestInterceptor, Type } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA, FILTER_CATCH_EXCEPTIONS, GUARDS_METADATA, INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { defer, isObservable, lastValueFrom, mergeAll, type Observable } from 'rxjs';
import { HubError } from '../runtime/errors.js';
import type { HubFilter } from '../runtime/hub/hub-filter.js';
import { contextOf, declaredFor, type Enhanced, resolve } from './enhanced.js';

/** The filters that run the enhancers of a gateway and its method: exception filters around guards around interceptors. */
export function enhancersOf(enhanced: Enhanced): HubFilter[] {
  return [catching(enhanced), guarding(enhanced), intercepting(enhanced)].filter((filter) => filter !== undefined);
}

function guarding(enhanced: Enhanced): HubFilter | undefined {
  const guards = declaredFor<CanActivate>(enhanced, GUARDS_METADATA).map((guard) => resolve(enhanced, guard, 'canActivate'));
  if (guards.length === 0) return undefined;
  return {
    async onCall(invocation, next) {
      const context = contextOf(enhanced, invocation);
      for (const guard of guards) {
        if ((await guard.canActivate(context)) !== true) throw new HubError('Forbidden.');
      }
      return next();
    },
  };
}

function intercepting(enhanced: Enhanced): HubFilter | undefined {
  const declared = declaredFor<NestInterceptor>(enhanced, INTERCEPTORS_METADATA);
  if (declared.length === 0) return undefined;
  const interceptors = declared.map((interceptor) => resolve(enhanced, interceptor, 'intercept'));
  return {
    onCall: (invocation, next) =>
      lastValueFrom(
        intercept(interceptors, contextOf(enhanced, invocation), async () => next()),
        { defaultValue: undefined },
      ),
  };
}

/**
 * Runs interceptors, the first one outermost, around a call whose result is one value. A stream is such a value, also when it is an
 * Observable: its items wait for their client and not for an interceptor.
 */
function intercept(
  interceptors: readonly NestInterceptor[],
  context: ExecutionContext,
  call: () => Promise<unknown>,
  index = 0,
): Observable<unknown> {
  if (index === interceptors.length) return deferHere(call);
  const handle = (): Observable<unknown> => intercept(interceptors, context, call, index + 1);
  return deferHere(async () => interceptors[index].intercept(context, { handle })).pipe(mergeAll());
}

/** Runs a function on subscription, in the present asynchronous context: interceptors set stores around `handle()`. */
function deferHere<T>(run: () => Promise<T>): Observable<T> {
  const here = new AsyncResource('HubInterceptor');
  return defer(() => here.runInAsyncScope(run));
}

interface Catcher {
  readonly filter: ExceptionFilter;
  /** The classes of the errors that it catches. None: all errors. */
  readonly kinds: readonly Type[];
}

function catching(enhanced: Enhanced): HubFilter | undefined {
  // Those of the method come before those of the gateway.
  const catchers = declaredFor<ExceptionFilter>(enhanced, EXCEPTION_FILTERS_METADATA)
    .map((declared) => catcherOf(resolve(enhanced, declared, 'catch')))
    .reverse();
  if (catchers.length === 0) return undefined;
  return {
    async onCall(invocation, next) {
      try {
        return await next();
      } catch (error) {
        const catcher = catchers.find(({ kinds }) => kinds.length === 0 || kinds.some((kind) => error instanceof kind));
        if (catcher === undefined) throw error;
        return answerOf(await catcher.filter.catch.call(catcher.filter, error, contextOf(enhanced, invocation)), error);
      }
    },
  };
}

function catcherOf(filter: ExceptionFilter): Catcher {
  const kinds: readonly Type[] | undefined = Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, filter.constructor);
  return { filter, kinds: kinds ?? [] };
}

/** The answer to the caller when a filter has caught an error. A filter that gives nothing leaves the error as it is. */
async function answerOf(caught: unknown, error: unknown): Promise<unknown> {
  const given = isObservable(caught) ? await lastValueFrom(caught, { defaultValue: undefined }) : caught;
  if (given === undefined) throw error;
  if (given instanceof Error) throw given;
  return given;
}
