import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { trace } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';

import { edgeOf } from './addresses/edge.js';

/** The header with the id of the request, sent with every answer. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Gives every request an id, which its answer, its errors and the change log contain. A node that passes it on has put it into the answer. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  request.id = requestIdOf(request);
  if (edgeOf(request) === undefined) response.setHeader(REQUEST_ID_HEADER, request.id);
  next();
}

/** The id of a request: the assigned one, or else the id of the trace that it belongs to or was sent with, or else a new one. */
export function requestIdOf(request: IncomingMessage & { readonly id?: string }): string {
  if (request.id !== undefined) return request.id;
  const traced = trace.getActiveSpan()?.spanContext().traceId;
  if (traced !== undefined) return traced;
  const sent = request.headers.traceparent;
  return (typeof sent === 'string' ? TRACE_PARENT.exec(sent)?.[1] : undefined) ?? newRequestId();
}

/** A new id for a request that has none. */
export function newRequestId(): string {
  return randomUUID().replaceAll('-', '');
}
