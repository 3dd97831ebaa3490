import { randomUUID } from 'node:crypto';

import type { NextFunction, Request, Response } from 'express';

const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Gives every request its id: the W3C trace id that it came with, else a new one. Errors and the change log carry it. */
export function assignRequestId(request: Request, _response: Response, next: NextFunction): void {
  const sent = request.headers.traceparent;
  request.id = (typeof sent === 'string' ? TRACE_PARENT.exec(sent)?.[1] : undefined) ?? randomUUID().replaceAll('-', '');
  next();
}
