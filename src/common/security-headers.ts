import type { IncomingMessage, ServerResponse } from 'node:http';

import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

/**
 * Answers belong to the caller, which no cache in between can tell: keys come in headers of their own. A route whose answer
 * may be kept says so itself (`response-cache.ts`).
 */
const KEPT_BY_NOBODY = ['Cache-Control', 'no-store'] as const;

/**
 * The headers that helmet sets by these options, on every response, and the word that nobody may keep it. They are the same
 * for all, so that helmet is asked once instead of having each of its parts run, and its policy written anew, for each request.
 */
export function securityHeaders(options: Readonly<HelmetOptions>): RequestHandler {
  const headers = [...headersOf(options), KEPT_BY_NOBODY];
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
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
