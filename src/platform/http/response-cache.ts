import {
  applyDecorators,
  Header,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { of, tap, type Observable } from 'rxjs';

import { BoundedMap } from '../common/collections/bounded-map.js';
import { Clock } from '../common/runtime/clock.js';

/** Time for which the answer of a route is cached, in seconds, and whether only the caller may cache it. */
export interface CacheRule {
  readonly seconds: number;
  readonly private: boolean;
}

/** Metadata key of a route's {@link CacheRule}. */
export const CACHE_RULE = Symbol('cache rule');

/** Most answers that are cached. The oldest is dropped first. */
const MAXIMUM_ENTRIES = 256;

interface Entry {
  readonly body: unknown;
  readonly storedAt: number;
}

/**
 * Caches the answers of routes marked with {@link Cached} in memory. Guards run before it, so authentication and
 * authorization are always checked. Only successful answers are cached.
 */
@Injectable()
class ResponseCache implements NestInterceptor {
  private readonly entries = new BoundedMap<string, Entry>(MAXIMUM_ENTRIES);

  constructor(
    private readonly reflector: Reflector,
    private readonly clock: Clock,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const rule = this.reflector.get<CacheRule>(CACHE_RULE, execution.getHandler());
    const http = execution.switchToHttp();
    const response = http.getResponse<Response>();
    const key = keyOf(execution, http.getRequest<Request>(), rule);
    const known = this.entries.get(key);
    const age = known === undefined ? 0 : Math.floor((this.clock.milliseconds() - known.storedAt) / 1000);
    // It is below 0 when the clock was put back.
    if (known !== undefined && age >= 0 && age < rule.seconds) {
      response.setHeader('Age', age);
      allowCaching(response, rule);
      return of(known.body);
    }
    return next.handle().pipe(
      tap((body: unknown) => {
        allowCaching(response, rule);
        this.keep(key, body);
      }),
    );
  }

  private keep(key: string, body: unknown): void {
    // The answer counts as new, so that it is not the next one to be dropped.
    this.entries.delete(key);
    this.entries.set(key, { body, storedAt: this.clock.milliseconds() });
  }
}

/**
 * Caches the answers of the route for a number of seconds, here and at the client (`Cache-Control: max-age`). A
 * `private` answer belongs to the authenticated caller: it is cached separately for each principal, and shared caches
 * must not store it.
 */
export function Cached(seconds: number, options: { readonly private?: boolean } = {}): MethodDecorator {
  const rule: CacheRule = { seconds, private: options.private ?? false };
  return applyDecorators(SetMetadata(CACHE_RULE, rule), UseInterceptors(ResponseCache));
}

/** Lets clients cache the successful answers of routes marked with {@link CachedByClients}, and caches none. */
@Injectable()
class ClientCache implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const rule = this.reflector.get<CacheRule>(CACHE_RULE, execution.getHandler());
    return next.handle().pipe(tap(() => allowCaching(execution.switchToHttp().getResponse<Response>(), rule)));
  }
}

/** Like {@link Cached}, for an answer that costs little: a client that asks again gets what is true then. It is not cached here. */
export function CachedByClients(seconds: number): MethodDecorator {
  const rule: CacheRule = { seconds, private: false };
  return applyDecorators(SetMetadata(CACHE_RULE, rule), UseInterceptors(ClientCache));
}

/**
 * Like {@link Cached}, for an answer that never changes while the process runs. It is not cached here; only the
 * `Cache-Control` header is sent.
 */
export function CachedConstant(seconds: number, options: { readonly private?: boolean } = {}): MethodDecorator {
  const rule: CacheRule = { seconds, private: options.private ?? false };
  return applyDecorators(SetMetadata(CACHE_RULE, rule), Header('Cache-Control', cacheControlOf(rule)));
}

/** The cache key: the route, its path values and, for private answers, the caller. Cached routes take no query. */
function keyOf(execution: ExecutionContext, request: Request, rule: CacheRule): string {
  const principal = request.context?.principal;
  const owner = !rule.private || principal === undefined ? '' : principal.type === 'System' ? principal.type : principal.id;
  let key = `${execution.getClass().name} ${execution.getHandler().name} ${owner}`;
  // Encoded, so that a slash in a value cannot produce the key of other values.
  for (const value of Object.values(request.params)) key += `/${encodeURIComponent(String(value))}`;
  return key;
}

function allowCaching(response: Response, rule: CacheRule): void {
  response.setHeader('Cache-Control', cacheControlOf(rule));
}

/** The `Cache-Control` header of a route's answers. */
export function cacheControlOf(rule: CacheRule): string {
  return `${rule.private ? 'private' : 'public'}, max-age=${rule.seconds}`;
}
