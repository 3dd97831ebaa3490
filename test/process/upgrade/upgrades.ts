import pg from 'pg';

import { eventually } from '../../support/eventually.js';
import type { TestDatabase } from '../../support/brokers/postgres.js';
import { query, tablesOf } from '../backup/backups.js';

/** Rows of each table of a database, as JSON objects. */
type Rows = Readonly<Record<string, readonly object[]>>;

/** Reads every row of all tables but those named. */
export async function rowsOfAllBut(database: TestDatabase, leftOut: readonly string[]): Promise<Rows> {
  const rows: Record<string, readonly object[]> = {};
  for (const table of await tablesOf(database)) {
    if (leftOut.includes(table)) continue;
    rows[table] = (await query<{ row: object }>(database, `SELECT to_jsonb(t) AS row FROM "${table}" t`)).map(({ row }) => row);
  }
  return rows;
}

/** The rows that a database no longer has. One with more columns counts as the same. */
export async function lostRows({ connection }: TestDatabase, before: Rows): Promise<Rows> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const lost: Record<string, readonly object[]> = {};
    for (const [table, rows] of Object.entries(before)) {
      const missing = await client.query<{ row: object }>(
        `SELECT row FROM jsonb_array_elements($1::jsonb) AS row WHERE NOT EXISTS (SELECT FROM "${table}" t WHERE to_jsonb(t) @> row)`,
        [JSON.stringify(rows)],
      );
      if (missing.rows.length > 0) lost[table] = missing.rows.map(({ row }) => row);
    }
    return lost;
  } finally {
    await client.end();
  }
}

/** A transaction that holds a lock for which an upgrade waits. */
export class Held {
  private constructor(
    private readonly client: pg.Client,
    private readonly observer: pg.Client,
  ) {}

  /** Runs statements in a transaction that stays open. */
  static async by({ connection }: TestDatabase, ...statements: readonly string[]): Promise<Held> {
    const [client, observer] = [new pg.Client(connection), new pg.Client(connection)];
    await Promise.all([client.connect(), observer.connect()]);
    for (const statement of ['BEGIN', ...statements]) await client.query(statement);
    return new Held(client, observer);
  }

  /** The names of the tables for which others wait, and `advisory` for a lock without a table. */
  async awaited(): Promise<readonly string[]> {
    const { rows } = await this.observer.query<{ name: string }>(
      `SELECT coalesce(relation::regclass::text, locktype) AS name FROM pg_locks
       WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows.map(({ name }) => name);
  }

  /** Runs another statement in the transaction. */
  async run(statement: string): Promise<void> {
    await this.client.query(statement);
  }

  async untilAwaited(name: string): Promise<void> {
    await eventually(`others wait for ${name}`, async () => (await this.awaited()).includes(name));
  }

  /** Ends the transaction and its connections. */
  async release(): Promise<void> {
    await Promise.all([this.client.end(), this.observer.end()]);
  }
}
