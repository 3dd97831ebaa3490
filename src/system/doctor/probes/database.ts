import type { EntityManager } from 'typeorm';

import type { Clock } from '../../../platform/common/runtime/clock.js';
import { migrations } from '../../../platform/database/migrations/index.js';
import { NodeTimes } from '../../../platform/node/node-times.js';
import type { DatabaseFacts } from '../checks/database.js';

type ServerFacts = Omit<DatabaseFacts, 'clockAheadMs' | 'nodes' | 'schema' | 'oldest'>;

/** Settings that an older or a newer server may lack are read with `true` for missing ones. */
const SERVER = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS "versionNumber",
    current_user AS "user", current_database() AS database, pg_database_size(current_database())::float8 AS size,
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isStandby",
    current_setting('default_transaction_read_only')::bool AS "isReadOnly",
    current_setting('max_connections')::int AS "maxConnections",
    current_setting('superuser_reserved_connections')::int + COALESCE(current_setting('reserved_connections', true)::int, 0)
      AS "reservedConnections",
    (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS "accountLimit",
    (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS "databaseLimit",
    current_setting('fsync')::bool AS fsync, current_setting('full_page_writes')::bool AS "fullPageWrites",
    current_setting('synchronous_commit') <> 'off' AS "synchronousCommit", current_setting('autovacuum')::bool AS autovacuum,
    (SELECT setting::float8 FROM pg_settings WHERE name = 'statement_timeout') AS "statementTimeout",
    COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate",
    (SELECT count(*)::int FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
       AND NOT pg_has_role(relowner, 'USAGE')) AS "foreignTables"`;

/** Sessions of other accounts show no time to an account without privileges. */
const OLDEST = `
  SELECT pid, application_name AS application, EXTRACT(EPOCH FROM now() - xact_start)::float8 AS age FROM pg_stat_activity
  WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid() ORDER BY xact_start LIMIT 1`;

const CLOCK = `SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS time`;
const HAS_SCHEMA = `SELECT to_regclass('migrations') IS NOT NULL AND to_regclass('nodes') IS NOT NULL AS exists`;
const NODES = `SELECT count(*)::int AS count FROM nodes WHERE last_seen_at > now() - interval '30 seconds'`;

/** Reads the state of the database. */
export async function databaseFacts(manager: EntityManager, clock: Clock): Promise<DatabaseFacts> {
  const [server] = await manager.query<ServerFacts[]>(SERVER);
  const [oldest = null] = await manager.query<NonNullable<DatabaseFacts['oldest']>[]>(OLDEST);
  const clockAheadMs = await clockAhead(manager, clock);
  if (!(await hasSchema(manager))) return { ...server, oldest, clockAheadMs, nodes: 0, schema: null };
  const [{ count: nodes }] = await manager.query<{ count: number }[]>(NODES);
  return { ...server, oldest, clockAheadMs, nodes, schema: await schemaDifference(manager) };
}

/** Checks whether the database has the tables of the service. */
export async function hasSchema(manager: EntityManager): Promise<boolean> {
  const [{ exists }] = await manager.query<{ exists: boolean }[]>(HAS_SCHEMA);
  return exists;
}

/** Start of the service that has run longest on the database; null while none runs. */
export async function serviceStart(manager: EntityManager): Promise<Date | null> {
  if (!(await hasSchema(manager))) return null;
  const [{ startedAt }] = await manager.query<{ startedAt: Date | null }[]>(
    `SELECT min(started_at) AS "startedAt" FROM nodes WHERE last_seen_at > now() - $1 * interval '1 millisecond'`,
    [new NodeTimes().goneAfterMs],
  );
  return startedAt;
}

async function clockAhead(manager: EntityManager, clock: Clock): Promise<number> {
  const asked = clock.milliseconds();
  const [{ time }] = await manager.query<{ time: number }[]>(CLOCK);
  // The database looked at its clock about halfway.
  return Math.round((asked + clock.milliseconds()) / 2 - time);
}

async function schemaDifference(manager: EntityManager): Promise<NonNullable<DatabaseFacts['schema']>> {
  const done = new Set((await manager.query<{ name: string }[]>('SELECT name FROM migrations')).map(({ name }) => name));
  const known = migrations.map(({ name }) => name);
  return { missing: known.filter((name) => !done.has(name)).length, unknown: [...done].filter((name) => !known.includes(name)).length };
}
