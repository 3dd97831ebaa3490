import type pg from 'pg';
import type { DataSourceOptions } from 'typeorm';

import type { DatabaseConfig } from './database-connection.js';
import { migrations } from './migrations/index.js';
import { SnakeCaseNamingStrategy } from './naming-strategy.js';

/** Connections of the pool that serves requests; queries beyond it wait for one. */
const POOL_SIZE = 20;
const CONNECT_TIMEOUT_MS = 10_000;

/** An entity class. */
export type EntityClass = new () => object;

/** Options of the data source: migrations only, never synchronized, keys made without an extension. */
export function dataSourceOptions(connection: DatabaseConfig, entities: readonly EntityClass[]): DataSourceOptions {
  const { connectionString, host, port, user, password, database, ssl } = connection;
  return {
    type: 'postgres',
    ...(connectionString === undefined ? { host, port, username: user, password, database } : { url: connectionString }),
    ...(ssl === undefined ? {} : { ssl }),
    entities: [...entities],
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    namingStrategy: new SnakeCaseNamingStrategy(),
    poolSize: POOL_SIZE,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: 'device-management',
    extra: { onConnect: outliveItsServer },
    // Failed statements travel as errors; logging them here would print their parameters, hashes and addresses included.
    logging: false,
  };
}

/**
 * Lets a connection that is lost fail its queries and leave the pool, which both happen without this listener. Between the
 * pool, which hands a connection out, and TypeORM, which takes it a moment later, nobody else listens: a server that goes
 * away in that moment would end this process.
 */
function outliveItsServer(client: pg.Client): void {
  client.on('error', () => undefined);
}
