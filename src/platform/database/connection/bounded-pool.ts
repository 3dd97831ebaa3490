import pg from 'pg';

import { busy } from '../../common/errors/errors.js';

/**
 * Maximum number of queries that wait for a connection of one pool. Twenty connections take some thousands of queries a second, so that the
 * last one in the queue waits for about a second. Each waits for `CONNECT_TIMEOUT_MS` (data-source.ts) at most.
 */
export const MAXIMUM_WAITING_QUERIES = 5_000;

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, release: (error?: Error | boolean) => void) => void;

/** A pool of connections whose queue is bounded: when it is full, queries are refused at once with 503 and `Retry-After`. */
export class BoundedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(taken: Taken): void;
  override connect(taken?: Taken): Promise<pg.PoolClient> | void {
    if (this.waitingCount < MAXIMUM_WAITING_QUERIES) return taken === undefined ? super.connect() : super.connect(taken);
    const error = busy('Too many requests wait for the database.');
    if (taken === undefined) return Promise.reject(error);
    process.nextTick(taken, error, undefined, () => undefined);
  }
}
