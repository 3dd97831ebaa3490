import type { Socket } from 'node:net';

import type pg from 'pg';

/** A connection as the driver keeps it: members that it does not declare. */
export interface DriverConnection {
  /** Number of the server process that it belongs to. */
  readonly processID: number;
  /** False while the driver waits for the end of an answer. */
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
}

/** The undeclared members of a connection. */
export const driverConnection = (client: pg.Client): DriverConnection => client as unknown as DriverConnection;

/** Number of checks after which a connection has been in use for too long. */
const CHECKS = 8;

/**
 * Ends each connection that a query or a transaction has used for too long. A firewall or a failed server may leave a connection open on which
 * nothing arrives any more. Its query would wait for a quarter of an hour or for ever, and with it everything that waits for its answer.
 * Checks are counted instead of time, so that a process that stood still reads first the answers that have arrived.
 * @param timeoutMs milliseconds, more than any query or transaction of the pool takes
 */
export function endSilentConnections(pool: pg.Pool, timeoutMs: number): void {
  const timers = new Map<pg.PoolClient, NodeJS.Timeout>();
  const reason = `The database has not answered for ${timeoutMs / 1_000} s.`;
  pool.on('acquire', (client) => {
    let checks = 0;
    const timer = setInterval(() => {
      checks += 1;
      if (checks < CHECKS) return;
      clearInterval(timer);
      endConnection(driverConnection(client), reason);
    }, timeoutMs / CHECKS);
    timers.set(client, timer.unref());
  });
  pool.on('release', (_error, client) => {
    clearInterval(timers.get(client));
    timers.delete(client);
  });
}

/** Fails the query of a connection, which then leaves its pool. Its callers take it for one that was reset. */
export function endConnection({ connection }: DriverConnection, reason: string): void {
  connection.stream.destroy(Object.assign(new Error(reason), { code: 'ECONNRESET' }));
}
