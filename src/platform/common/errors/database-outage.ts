import { codeOf } from './system-error.js';

/**
 * SQLSTATEs of a server that is unavailable: connection failures; out of space, memory or connections; starting or shutting down; a session
 * that it has ended because this process stood still; and a password, host rule or database that an operator has changed.
 */
const OUTAGE_STATES = /^(08|53|28)[0-9A-Z]{3}$|^57P0[1-3]$|^25P03$|^3D000$/;

/** Messages of the driver, which have no code, about a connection that was lost or timed out. */
const LOST_CONNECTION =
  /^Connection terminated|connection error and is not queryable|^timeout exceeded when trying to connect|^Query read timeout/;

/** Checks whether a query failed because the database is unavailable, and not because of the query itself. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isConnecting = 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');
  return isConnecting || OUTAGE_STATES.test(codeOf(error) ?? '') || isLostConnection(error);
}

/**
 * A query in progress fails with the loss of the connection, or with the system's error on it. When the connection is lost between two
 * statements of a transaction, TypeORM takes it back, and refuses the second one.
 */
function isLostConnection(error: Error): boolean {
  return (
    LOST_CONNECTION.test(error.message) ||
    error.name === 'QueryRunnerAlreadyReleasedError' ||
    (error.name === 'QueryFailedError' && ['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? ''))
  );
}
