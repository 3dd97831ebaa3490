import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import type { EntityManager } from 'typeorm';

import { SYSTEM, type Principal } from './principal.js';

/**
 * What travels through the services as their first argument: who acts, on which tenant, from where, and on which
 * connection or transaction the SQL runs. It is immutable; a transaction hands on a copy of it.
 */
export interface RequestContext {
  readonly principal: Principal;
  /** The tenant that the request names, or null for routes that take none. */
  readonly tenantId: string | null;
  readonly requestId: string;
  /** The caller's address behind trusted proxies; null for the service's own work. */
  readonly remoteAddress: string | null;
  readonly manager: EntityManager;
}

/** A context whose route takes a tenant: the id is there. */
export type TenantContext = RequestContext & { readonly tenantId: string };

/** The context of the service's own work; the reason stands where requests have their id. */
export function systemContext(reason: string, manager: EntityManager): RequestContext {
  return { principal: SYSTEM, tenantId: null, requestId: reason, remoteAddress: null, manager };
}

/** Hands the request's context to a handler. Only routes that authenticate have one. */
export const Context = createParamDecorator((_data: unknown, execution: ExecutionContext): RequestContext => {
  const { context } = execution.switchToHttp().getRequest<ExpressRequest>();
  if (context === undefined) throw new Error('The route has no request context: it is anonymous.');
  return context;
});

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the access guard once the caller is known. */
    context?: RequestContext;
    /** The device that the request is about, set by the access guard once the caller may know of it. */
    deviceId?: string;
    /** Set by the request logging before anything else runs. */
    id: string;
  }
}
