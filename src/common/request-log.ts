import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

const logger = new Logger('Http');

/** Writes one line a request: method, path without its query, status, milliseconds, request id and principal. */
export function logRequests(request: Request, response: Response, next: NextFunction): void {
  if (request.path === '/health' || request.path === '/alive') {
    next();
    return;
  }
  const started = performance.now();
  response.once('close', () => {
    logger.log({
      message: 'request',
      requestId: request.id,
      method: request.method,
      path: request.path,
      status: response.statusCode,
      milliseconds: Math.round((performance.now() - started) * 10) / 10,
      complete: response.writableFinished,
      ...callerOf(request),
    });
  });
  next();
}

/** Who sent a request, as log entries name it; nothing for anonymous requests. */
export function callerOf({ context }: Request): { readonly principal?: string } {
  return context === undefined || context.principal.type === 'System' ? {} : { principal: context.principal.id };
}
