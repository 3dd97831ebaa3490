import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import type { EntityManager } from 'typeorm';

import type { Place } from '../../../platform/http/connections/fair-shares.js';
import { SYSTEM, type correlationFactsOf, type Principal } from './principal.js';

/**
 * The first argument of every service method: the actor, the tenant, the origin, and the connection or transaction on which the SQL runs.
 * It is immutable; a transaction passes on a changed copy.
 */
export interface RequestContext {
  readonly principal: Principal;
  /** The tenant that the request names; null for routes that take none. */
  readonly tenantId: string | null;
  readonly requestId: string;
  /** The caller's address behind trusted proxies; null for the service's own work. */
  readonly remoteAddress: string | null;
  /** The time at which the request was read, by the monotonic clock in milliseconds; not set for the service's own work. */
  readonly readAt?: number | undefined;
  readonly manager: EntityManager;
  /** Throws when the caller may no longer do what the guard allowed, as the connection sees it; not set for the service's own work. */
  readonly confirm?: (manager: EntityManager) => Promise<void>;
}

/** The context of a route that takes a tenant. */
export type TenantContext = RequestContext & { readonly tenantId: string };

/** The context of the service's own work. The reason takes the place of a request id. */
export function systemContext(reason: string, manager: EntityManager): RequestContext {
  return { principal: SYSTEM, tenantId: null, requestId: reason, remoteAddress: null, manager };
}

/** Injects the request's context into a handler. Only authenticated routes have one. */
export const Context = createParamDecorator((_data: unknown, execution: ExecutionContext): RequestContext => {
  const { context } = execution.switchToHttp().getRequest<ExpressRequest>();
  if (context === undefined) throw new Error('The route has no request context: it is anonymous.');
  return context;
});

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the access guard after authentication. */
    context?: RequestContext;
    /** The correlation ids of the caller's session, for log entries. Set by the access guard. */
    correlation?: ReturnType<typeof correlationFactsOf>;
    /** The device that the request is about. The access guard sets it once it knows that the caller may see the device. */
    deviceId?: string;
    /** The request's place in its caller's share. Set by the access guard. */
    place?: Place;
    /** Set by the request-id middleware before anything else runs. */
    id: string;
  }
}
