import { metrics, type Histogram } from '@opentelemetry/api';
import pg from 'pg';

import { busy } from '../../common/errors/errors.js';
import { traceQueries } from './query-traces.js';
import { endSilentConnections } from './silent-connections.js';

/**
 * Maximum number of queries that wait for a connection of one pool. Twenty connections take some thousands of queries a second, so that the
 * last one in the queue waits for about a second. Each waits for `CONNECT_TIMEOUT_MS` (data-source.ts) at most.
 */
export const MAXIMUM_WAITING_QUERIES = 5_000;

/** Bounds of the waits, in seconds. */
const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 10];

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, release: (error?: Error | boolean) => void) => void;

/** A pool of connections whose queue is bounded: when it is full, queries are refused at once with 503 and `Retry-After`. */
export class BoundedPool extends pg.Pool {
  private readonly pool: string;
  private readonly waits: Histogram;

  /** @param options those of `pg`; `pool`, the name of the pool in metrics; `answerTimeoutMs`, the time-out of its queries */
  constructor(options: pg.PoolConfig & { readonly pool?: string; readonly answerTimeoutMs?: number }) {
    super(options);
    this.pool = options.pool ?? 'other';
    this.on('connect', traceQueries);
    if (options.answerTimeoutMs !== undefined) endSilentConnections(this, options.answerTimeoutMs);
    this.waits = metrics.getMeter('database').createHistogram('db.connections.wait', {
      unit: 's',
      description: 'Waits of queries for a connection, by pool. Those that found a free one are not counted.',
      advice: { explicitBucketBoundaries: SECONDS },
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(taken: Taken): void;
  override connect(taken?: Taken): Promise<pg.PoolClient> | void {
    if (this.waitingCount >= MAXIMUM_WAITING_QUERIES) {
      const error = busy('Too many requests wait for the database.');
      if (taken === undefined) return Promise.reject(error);
      process.nextTick(taken, error, undefined, () => undefined);
      return;
    }
    const noted = this.idleCount > 0 ? null : this.beginWait();
    if (taken === undefined) return noted === null ? super.connect() : super.connect().finally(noted);
    if (noted === null) return super.connect(taken);
    super.connect((error, client, release) => {
      noted();
      taken(error, client, release);
    });
  }

  private beginWait(): () => void {
    const begun = performance.now();
    return () => this.waits.record((performance.now() - begun) / 1_000, { pool: this.pool });
  }
}
