import type { ClientBase } from 'pg';
import pg from 'pg';

/**
 * Tables of running processes: nodes, the places of users, their last outcomes, and what limits count; and of the backups on this machine. Their rows mean nothing
 * to another run.
 */
export const LEFT_OUT: readonly string[] = [
  'nodes',
  'user_presences',
  'viewer_places',
  'relay_places',
  'request_windows',
  'source_failures',
  'backup_runs',
  'last_outcomes',
];

/** A table of the service's schema. */
export interface SchemaTable {
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly string[];
  /** Names of the tables that its foreign keys lead to. */
  readonly references: readonly string[];
  /** Size on disk without indexes, in bytes. */
  readonly size: number;
}

const TABLES = `
  SELECT c.relname AS name, pg_table_size(c.oid)::float8 AS size,
    ARRAY(SELECT a.attname::text FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
    ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
          WHERE k.conrelid = c.oid AND k.contype = 'f' AND r.oid <> c.oid) AS "references"
  FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY 1`;

/** Values look the same whatever the server's settings are, and nothing ends a long statement. */
const SESSION = `
  SET client_encoding = 'UTF8'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC'; SET bytea_output = 'hex';
  SET extra_float_digits = 1; SET synchronize_seqscans = off; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`;

/** Makes a connection read and write rows in the form of backups. */
export async function prepareSession(client: ClientBase): Promise<void> {
  await client.query(SESSION);
}

/** All tables of the schema, each after those that its foreign keys lead to. */
export async function readTables(client: ClientBase): Promise<readonly SchemaTable[]> {
  return inOrderOfForeignKeys((await client.query<SchemaTable>(TABLES)).rows);
}

/** Sorts tables so that each comes after those that its foreign keys lead to. */
function inOrderOfForeignKeys<T extends Pick<SchemaTable, 'name' | 'references'>>(tables: readonly T[]): readonly T[] {
  const sorted: T[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const ready = waiting.filter(({ references }) => !references.some((name) => names.has(name)));
    if (ready.length === 0) throw new Error(`Foreign keys of these tables lead in a circle: ${[...names].join(', ')}.`);
    sorted.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return sorted;
}

/** The statement that reads all rows of a table. */
export function copyOut({ name, columns }: Pick<SchemaTable, 'name' | 'columns'>): string {
  return `COPY ${columnsOf(name, columns)} TO STDOUT`;
}

/** The statement that takes all rows of a table. */
export function copyIn({ name, columns }: Pick<SchemaTable, 'name' | 'columns'>): string {
  return `COPY ${columnsOf(name, columns)} FROM STDIN`;
}

/** Names in a list, as statements have them. */
export function listed(names: readonly string[]): string {
  return names.map((name) => pg.escapeIdentifier(name)).join(', ');
}

function columnsOf(table: string, columns: readonly string[]): string {
  return `${pg.escapeIdentifier(table)} (${listed(columns)})`;
}
