import { codeOf } from './system-error.js';

/**
 * SQLSTATEs of a server that cannot work at the moment: connection failures, no more space, memory or connections, shutting
 * down or starting, and what an operator changes meanwhile: password, host rules, the database itself.
 */
const OUTAGE_STATES = /^(08|53|28)[0-9A-Z]{3}$|^57P0[1-3]$|^3D000$/;

/** What the driver says, without a code, of a connection that was lost or could not be had in time. */
const LOST_CONNECTION = /^Connection terminated|connection error and is not queryable|^timeout exceeded when trying to connect/;

/** Whether a query failed because the database is away, and not because of what was asked of it. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isConnecting = 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');
  return isConnecting || OUTAGE_STATES.test(codeOf(error) ?? '') || isLostConnection(error);
}

/** A query that was under way fails with the loss itself, or with the system's error on the connection. */
function isLostConnection(error: Error): boolean {
  return (
    LOST_CONNECTION.test(error.message) || (error.name === 'QueryFailedError' && ['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? ''))
  );
}
