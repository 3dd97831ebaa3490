import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

import { INVITE_PAGE } from '../common/addresses/invite-page.js';
import { PROBE_PATHS } from './addresses/probe-paths.js';

const logger = new Logger('Http');

/** Logs one line per request: method, path without its query, status, milliseconds, request id, principal with its correlation ids, and device. */
export function logRequests(request: Request, response: Response, next: NextFunction): void {
  if (PROBE_PATHS.has(request.path)) {
    next();
    return;
  }
  const started = performance.now();
  response.once('close', () => {
    logger.log({
      message: 'request',
      requestId: request.id,
      method: request.method,
      path: loggedPath(request),
      status: response.statusCode,
      milliseconds: Math.round((performance.now() - started) * 10) / 10,
      complete: response.writableFinished,
      ...callerOf(request),
    });
  });
  next();
}

/** The path of a request for log entries, without the activation code of an invitee. */
export function loggedPath({ path }: Request): string {
  return path.toLowerCase().startsWith(`${INVITE_PAGE}/`) ? `${INVITE_PAGE}/***` : path;
}

/** Returns the principal of a request and the device that it is about, for log entries; empty for anonymous requests. */
export function callerOf({ context, correlation, deviceId }: Request): { readonly principal?: string; readonly deviceId?: string } {
  if (context === undefined || context.principal.type === 'System') return {};
  return { principal: context.principal.id, ...correlation, ...(deviceId === undefined ? {} : { deviceId }) };
}
