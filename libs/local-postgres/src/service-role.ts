import { Client } from 'pg';

import type { Endpoint } from './endpoint.js';

/** The role that the service connects as. It is no superuser: it owns its database and what is in it, and nothing else. */
export const SERVICE_ROLE = 'service';

/** Statements that give the objects of the database to the role $1, except those that belong to extensions or follow a table. */
const TRANSFERS = `
  WITH wanted AS (SELECT oid FROM pg_roles WHERE rolname = $1),
       extended AS (SELECT objid FROM pg_depend WHERE deptype = 'e'),
       following AS (SELECT objid FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype IN ('a', 'i'))
  SELECT format('ALTER %s %s OWNER TO %I', CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
                ELSE 'TABLE' END, c.oid::regclass, $1) AS statement
    FROM pg_class c, wanted WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S', 'v', 'm') AND relowner <> wanted.oid
      AND c.oid NOT IN (TABLE extended) AND c.oid NOT IN (TABLE following)
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, $1)
    FROM pg_proc p, wanted WHERE pronamespace = 'public'::regnamespace AND proowner <> wanted.oid AND p.oid NOT IN (TABLE extended)
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO %I', t.oid::regtype, $1)
    FROM pg_type t, wanted WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd') AND typowner <> wanted.oid
      AND t.oid NOT IN (TABLE extended)`;

/**
 * Gives everything in a database to the service's role. Earlier versions of the service connected as the superuser, which owns the objects
 * that they made.
 */
export async function giveContents({ host, port, user, password = '' }: Endpoint, database: string): Promise<void> {
  const client = new Client({ host, port, user, password, database, ssl: false });
  await client.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ statement: string }>(TRANSFERS, [SERVICE_ROLE]);
    for (const { statement } of rows) await client.query(statement);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
