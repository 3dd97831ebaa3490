import type { Server } from 'node:http';

/** How long the headers of a request may take to arrive. */
export const HEADERS_TIMEOUT_MS = 20_000;
/** How long a whole request may take to arrive. Allows the largest upload over a slow line. */
export const REQUEST_TIMEOUT_MS = 30 * 60_000;
/** How long a connection may be idle between requests. Longer than proxies allow, so that the proxy closes it first. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Cuts off clients that hold a connection without sending. Answers may take any time. */
export function limitSlowClients(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
}
