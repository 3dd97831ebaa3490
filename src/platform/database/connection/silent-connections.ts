import type pg from 'pg';

/**
 * Ends each connection that a query or a transaction has used for too long. A firewall or a failed server may leave a connection open on which
 * nothing arrives any more. Its query would wait for a quarter of an hour or for ever, and with it everything that waits for its answer.
 * @param timeoutMs milliseconds, more than any query or transaction of the pool takes
 */
export function endSilentConnections(pool: pg.Pool, timeoutMs: number): void {
  const timers = new Map<pg.PoolClient, NodeJS.Timeout>();
  pool.on('acquire', (client) => timers.set(client, setTimeout(() => end(client, timeoutMs), timeoutMs).unref()));
  pool.on('release', (_error, client) => {
    clearTimeout(timers.get(client));
    timers.delete(client);
  });
}

/** Fails the query of a connection, which then leaves its pool. */
function end(client: pg.PoolClient, timeoutMs: number): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: { destroy(error: Error): void } } }).connection;
  stream.destroy(new Error(`The database has not answered for ${timeoutMs / 1_000} s.`));
}
