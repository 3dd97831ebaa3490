import type { IncomingMessage, ServerResponse } from 'node:http';

import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

/**
 * Answers belong to the caller, which no cache in between can tell: keys come in headers of their own. A route whose answer
 * may be kept says so itself (`response-cache.ts`).
 */
const KEPT_BY_NOBODY = ['Cache-Control', 'no-store'] as const;

/** Where programs are answered, not browsers with pages. */
const API_ROOT = '/api/';

/** What an answer of the API carries, should a browser be made to show it all the same: nothing in it runs, loads or is framed. */
const API_HEADERS = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  KEPT_BY_NOBODY,
] as const;

/**
 * The headers of every response: on pages those that helmet sets by these options, on answers of the API those that mean
 * something there. Each costs every request, and they are always the same: so helmet is asked once, instead of having each of
 * its parts run, and its policy written anew, for each request.
 */
export function securityHeaders(optionsOfPages: Readonly<HelmetOptions>): RequestHandler {
  const pageHeaders = [...headersOf(optionsOfPages), KEPT_BY_NOBODY];
  return (request, response, next) => {
    for (const [name, value] of request.url.startsWith(API_ROOT) ? API_HEADERS : pageHeaders) response.setHeader(name, value);
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
  if (!isDone) throw new Error('The security headers are not known at once: an option depends on the request.');
  return [...headers];
}
