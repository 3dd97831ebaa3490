import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';

import { messageOf } from '../../common/errors/errors.js';
import type { DatabaseConfig } from './database-connection.js';
import { driverConnection, endConnection, type DriverConnection } from './silent-connections.js';

/** Interval, in milliseconds, at which the connections of the pool are looked at. */
const LOOK_INTERVAL_MS = 15_000;
/** Time-out of the connection that asks the database, and of its answers, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * The server processes with the numbers $1 that belong to this account. `isWaiting`: the process has waited for its client for $2 milliseconds.
 * A pooler gives connections numbers of its own: behind one, no row is that of the asking connection.
 */
const PROCESSES = `
  SELECT pid,
         pid = pg_backend_pid() AS "isAsking",
         COALESCE(state LIKE 'idle%' AND state_change < clock_timestamp() - $2 * interval '1 millisecond', FALSE) AS "isWaiting"
    FROM pg_stat_activity
   WHERE pid = ANY($1) AND usename = session_user`;

/** Ends server processes, so that they release the locks of their transactions. */
const TERMINATE = 'SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid';

interface ServerProcess {
  readonly pid: number;
  readonly isAsking: boolean;
  readonly isWaiting: boolean;
}

/** A query without an answer: its connection, and the bytes that had come on it. */
interface Unanswered {
  readonly client: DriverConnection;
  readonly bytes: number;
}

/**
 * Ends connections of a pool on which the service waits for an answer while the database waits for a query. A firewall or a proxy has lost one
 * of the two, and keeps the connection open. A time-out would not do, because some queries of requests and jobs may take any time.
 */
export class UnansweredQueries implements OnApplicationShutdown {
  private readonly logger = new Logger('UnansweredQueries');
  /** Connections in use, and the bytes that had come on those that waited for an answer at the last look. */
  private readonly used = new Map<DriverConnection, number | null>();
  private readonly timer: NodeJS.Timeout;
  private isAsking = false;

  /** @param intervalMs time without an answer, in milliseconds, after which the database is asked */
  constructor(
    pool: pg.Pool,
    private readonly config: DatabaseConfig,
    private readonly intervalMs: number = LOOK_INTERVAL_MS,
  ) {
    pool.on('acquire', (client) => this.used.set(driverConnection(client), null));
    pool.on('release', (_error, client) => this.used.delete(driverConnection(client)));
    this.timer = setInterval(() => this.look(), intervalMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Asks the database about the queries that have got nothing since the last look. */
  private look(): void {
    const unanswered: Unanswered[] = [];
    for (const [client, known] of this.used) {
      const bytes = client.readyForQuery ? null : client.connection.stream.bytesRead;
      this.used.set(client, bytes);
      if (bytes !== null && bytes === known) unanswered.push({ client, bytes });
    }
    if (unanswered.length === 0 || this.isAsking) return;
    this.isAsking = true;
    this.endLost(unanswered)
      .catch((error: unknown) => this.logger.debug(`The database could not be asked about its unanswered queries: ${messageOf(error)}`))
      .finally(() => (this.isAsking = false));
  }

  private async endLost(unanswered: readonly Unanswered[]): Promise<void> {
    const asking = new pg.Client({
      ...this.config,
      application_name: 'device-management',
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    // Its queries fail with it.
    asking.on('error', () => undefined);
    try {
      await asking.connect();
      const pids = [driverConnection(asking), ...unanswered.map(({ client }) => client)].map(({ processID }) => processID);
      const { rows } = await asking.query<ServerProcess>(PROCESSES, [pids, this.intervalMs]);
      if (!rows.some(({ isAsking }) => isAsking)) return;
      const isAtWork = new Set(rows.filter(({ isWaiting }) => !isWaiting).map(({ pid }) => pid));
      // An answer may have come since.
      const lost = unanswered.filter(
        ({ client, bytes }) =>
          !isAtWork.has(client.processID) && this.used.get(client) === bytes && client.connection.stream.bytesRead === bytes,
      );
      if (lost.length === 0) return;
      for (const { client } of lost) endConnection(client, 'A query or its answer was lost on the way.');
      this.logger.warn(`Ended connections to the database on which nothing arrives any more: ${lost.length}.`);
      await asking.query(TERMINATE, [lost.map(({ client }) => client.processID)]);
    } finally {
      // Nobody waits for its end: on a silent connection that never comes.
      asking.end().catch(() => undefined);
    }
  }
}
