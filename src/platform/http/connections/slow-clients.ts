import type { Server } from 'node:http';

/** Time-out of the headers of a request, in milliseconds. */
export const HEADERS_TIMEOUT_MS = 20_000;
/** Time-out of a whole request, in milliseconds. Allows the largest upload over a slow line. */
export const REQUEST_TIMEOUT_MS = 30 * 60_000;
/** Time-out of an idle connection between requests, in milliseconds. Longer than proxies allow, so that the proxy closes it first. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Cuts off clients that hold a connection without sending. Answers may take any time. */
export function limitSlowClients(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
}
