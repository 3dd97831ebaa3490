import type pg from 'pg';

/**
 * Ends each connection of a pool that a query has held for too long. Where a firewall or a failed server leaves a connection open on which
 * nothing arrives any more, its query would wait for a quarter of an hour or for ever, and so would all that wait for this one.
 * @param timeoutMs longer than any query of the pool takes, in milliseconds
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
