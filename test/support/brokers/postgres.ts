import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { LocalPostgresConnection } from '#libs/local-postgres';
import { ask } from './broker-client.js';

/** The database of one spec file, with the current schema and no rows. */
export interface TestDatabase {
  readonly connection: LocalPostgresConnection;
  /** Drops the database, even while clients are connected to it. */
  drop(): Promise<void>;
}

interface BrokerAnswer {
  readonly connection: LocalPostgresConnection;
  readonly template: string;
}

/** Creates a test database from the migrated template. The first call of a run starts PostgreSQL. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connection, template } = await ask<BrokerAnswer>('TEST_DATABASE_BROKER');
  const database = `test_${randomBytes(8).toString('hex')}`;
  // By default each page is copied through the log, which takes several times as long.
  await execute(connection, `create database ${database} template ${template} strategy file_copy`);
  return {
    connection: { ...connection, database },
    drop: () => execute(connection, `drop database if exists ${database} with (force)`),
  };
}

async function execute(connection: LocalPostgresConnection, statement: string): Promise<void> {
  // A connection to another database: the template cannot be copied while a client is connected to it.
  const client = new Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
