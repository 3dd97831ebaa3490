import { readdir } from 'node:fs/promises';

import { AfterAnswer } from '../../../src/platform/common/concurrency/after-answer.js';
import { TenantRemoval } from '../../../src/tenants/tenants/tenant-removal.js';
import type { TestApp } from '../../support/application/app.js';

/** Tables that the service itself writes at any time, and for calls that it refuses. */
const BOOKKEEPING = ['nodes', 'job_runs', 'request_windows', 'backup_runs', 'event_heads'];
/** Folder of backups, which go on after the answer to the call that began them. */
const BACKUPS = 'backups';
/**
 * The last use of a credential is stored whatever the call answers, events are numbered once they are committed, and webhooks look at events
 * and try deliveries by themselves.
 */
const WRITTEN_AT_ANY_TIME = [
  'last_used',
  'last_used_at',
  'number',
  'last_number',
  'attempts',
  'next_attempt_at',
  'last_attempt_at',
  'last_error',
  'last_milliseconds',
];

/** The rows of all tables that contain a text, each as JSON. Derived search texts are left out. */
export async function rowsWith(server: TestApp, text: string): Promise<readonly string[]> {
  const tables = await server.dataSource.query<{ name: string }[]>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'`,
  );
  const selects = tables.map(({ name }) => `SELECT (to_jsonb(t) - 'search_text')::text AS row FROM "${name}" t`);
  const rows = await server.dataSource.query<{ row: string }[]>(
    `SELECT row FROM (${selects.join(' UNION ALL ')}) r WHERE strpos(row, $1) > 0`,
    [text],
  );
  return rows.map(({ row }) => row);
}

/** Everything that is stored: row count and checksum of each table by name, and the names of files. */
export async function everythingStored(server: TestApp): Promise<Readonly<Record<string, string>>> {
  await afterAnswers(server);
  const tables = await server.dataSource.query<{ name: string }[]>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL($1) ORDER BY 1`,
    [BOOKKEEPING],
  );
  const row = `to_jsonb(t)${WRITTEN_AT_ANY_TIME.map((column) => ` - '${column}'`).join('')}`;
  const sums = tables.map(
    ({ name }) => `SELECT '${name}' AS name, count(*) || ' rows, ' || coalesce(md5(string_agg(r, E'\\n' ORDER BY r)), '') AS sum
                   FROM (SELECT (${row})::text AS r FROM "${name}" t) rows`,
  );
  const rows = await server.dataSource.query<{ name: string; sum: string }[]>(sums.join(' UNION ALL '));
  const files = (await readdir(server.dataPath, { recursive: true })).filter((file) => !file.startsWith(BACKUPS));
  return { ...Object.fromEntries(rows.map(({ name, sum }) => [name, sum])), files: files.sort().join() };
}

/** Waits for work that goes on after answers: mails, and the removal of a tenant that takes more than a second. */
async function afterAnswers({ nodes }: TestApp): Promise<void> {
  for (const { app } of nodes) {
    await app.get(AfterAnswer, { strict: false }).idle();
    await app.get(TenantRemoval, { strict: false }).idle();
  }
}
