import pg from 'pg';
import type { DataSource, DataSourceOptions } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

import { migrations } from '../migrations/index.js';
import { SnakeCaseNamingStrategy } from '../schema/naming-strategy.js';
import { BoundedPool } from './bounded-pool.js';
import type { DatabaseConfig } from './database-connection.js';
import { setUpSession } from './session-settings.js';

/** A pool of connections: its name in metrics, and how many it has at most. */
export interface Pool {
  readonly name: string;
  readonly size: number;
  /** Time-out of its queries, in milliseconds: none where some may take any time. */
  readonly answerTimeoutMs?: number;
}

/**
 * Connections in the pool of requests and jobs. When all are busy, queries wait for one. Reports of devices and the checks of
 * callers have connections of their own (reserved-data-source.ts).
 */
export const REQUESTS: Pool = { name: 'requests', size: 20 };
/** Time-out of a query that waits for a connection, in milliseconds: for a free one of the pool, or for the server to accept a new one. */
const CONNECT_TIMEOUT_MS = 10_000;

/** An entity class. */
export type EntityClass = new () => object;

/** Options of the data source. Only migrations change the schema; it is never synchronized from the entities. */
export function dataSourceOptions(
  connection: DatabaseConfig,
  entities: readonly EntityClass[],
  { name: pool, size: poolSize, answerTimeoutMs }: Pool = REQUESTS,
): DataSourceOptions {
  const { connectionString, host, port, user, password, database, ssl } = connection;
  return {
    type: 'postgres',
    driver: { ...pg, Pool: BoundedPool },
    ...(connectionString === undefined ? { host, port, username: user, password, database } : { url: connectionString }),
    ...(ssl === undefined ? {} : { ssl }),
    entities: [...entities],
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    namingStrategy: new SnakeCaseNamingStrategy(),
    poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: 'device-management',
    extra: { onConnect: prepare, pool, answerTimeoutMs },
    // A failed statement is reported as an error. Logging it here would print its parameters, among them hashes and addresses.
    logging: false,
  };
}

/** The pool of a data source that is open. */
export const poolOf = ({ driver }: DataSource): pg.Pool => (driver as PostgresDriver).master as pg.Pool;

/**
 * Prepares a connection before its pool hands it out. The loss of a connection must not end this process: it fails its queries, and leaves
 * the pool anyway. But for a moment, after the pool has handed it out and before TypeORM takes it, nothing else listens for its errors.
 */
function prepare(client: pg.Client): Promise<void> {
  client.on('error', () => undefined);
  return setUpSession(client);
}
