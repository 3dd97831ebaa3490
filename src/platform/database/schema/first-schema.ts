import type { DataSource } from 'typeorm';

import { DatabaseError } from '../../common/errors/database-error.js';
import { migrations } from '../migrations/index.js';

/** Number of names in a refusal; it counts the rest. */
const NAMED = 3;

/**
 * Accepts a schema that begins with that of the first release, and a database without one.
 * @throws DatabaseError when migrations from before it have run, or the database has tables of the same names: nothing leads from there to
 * the schema of a release
 */
export async function requireFirstSchema(dataSource: DataSource, done: readonly string[]): Promise<void> {
  if (done.includes(migrations[0].name)) return;
  const foreign = done.length > 0 ? { kind: 'migrations', names: done } : { kind: 'tables', names: await ownTables(dataSource) };
  if (foreign.names.length > 0) throw new DatabaseError(refusal(foreign.kind, foreign.names));
}

/** The tables of the database that an entity is named after. */
async function ownTables(dataSource: DataSource): Promise<readonly string[]> {
  const rows = await dataSource.query<{ name: string }[]>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename = ANY($1) ORDER BY 1',
    [dataSource.entityMetadatas.map(({ tableName }) => tableName)],
  );
  return rows.map(({ name }) => name);
}

function refusal(kind: string, names: readonly string[]): string {
  const rest = names.length - NAMED;
  const listed = names.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `The database was made by a version from before the first release of this service, or by another program: it has the ${kind} ${listed}. It cannot be upgraded, and nothing was changed. Use an empty database, or for the bundled one an empty data folder.`;
}
