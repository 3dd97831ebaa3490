import type { IncomingMessage, ServerResponse } from 'node:http';

import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

import { edgeOf } from './addresses/edge.js';

/**
 * Answers must not be cached by default. Keys travel in headers of their own, so a shared cache cannot tell one
 * caller's answer from another's. Routes whose answers may be cached declare it (`response-cache.ts`).
 */
const KEPT_BY_NOBODY = ['Cache-Control', 'no-store'] as const;

/** The root of the API browser. */
const API_BROWSER = '/api-browser';

/** Swagger UI writes inline styles, which helmet's policy allows. The service itself may be reached without TLS. */
const OPTIONS_OF_API_BROWSER: Readonly<HelmetOptions> = {
  contentSecurityPolicy: { useDefaults: true, directives: { upgradeInsecureRequests: null } },
  strictTransportSecurity: false,
};

/**
 * The headers of all other answers. Should a browser display one, nothing in it runs, loads or can be framed. A page sets a policy of its
 * own (`plain-page.ts`, `src/system/web/page-headers.ts`).
 */
export const SECURITY_HEADERS = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  KEPT_BY_NOBODY,
] as const;

/**
 * Sets the security headers of every response: those of helmet in the API browser, and the smaller set above elsewhere. The values never
 * change, so helmet runs once here instead of on every request. A node that passes a request on has set them already.
 */
export function securityHeaders(): RequestHandler {
  const headersOfApiBrowser = [...headersOf(OPTIONS_OF_API_BROWSER), KEPT_BY_NOBODY];
  return (request, response, next) => {
    if (edgeOf(request) !== undefined) return next();
    for (const [name, value] of request.url.startsWith(API_BROWSER) ? headersOfApiBrowser : SECURITY_HEADERS)
      response.setHeader(name, value);
    next();
  };
}

function headersOf(options: Readonly<HelmetOptions>): readonly (readonly [string, string])[] {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  let isDone = false;
  helmet(options)({} as IncomingMessage, recorder as unknown as ServerResponse, (error?: unknown) => {
    if (error !== undefined) throw error;
    isDone = true;
  });
  if (!isDone) throw new Error('The security headers cannot be determined at the start: an option depends on the request.');
  return [...headers];
}
