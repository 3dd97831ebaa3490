import type { DataSource, QueryRunner } from 'typeorm';

import { TRIGGERS } from '../triggers/index.js';

/** The statements of a migration, and those that take it back. */
export interface SchemaChanges {
  readonly up: readonly string[];
  readonly down: readonly string[];
}

/** A function or trigger as PostgreSQL describes it. */
interface Definition {
  readonly kind: 'FUNCTION' | 'TRIGGER';
  /** Text after `DROP FUNCTION` or `DROP TRIGGER`. */
  readonly name: string;
  /** The statement that creates it. */
  readonly sql: string;
}

type Definitions = ReadonlyMap<string, Definition>;

/** All triggers, and all functions that are not part of an extension. */
const DEFINITIONS = `
  SELECT 'TRIGGER' AS kind, tgname || ' ON ' || tgrelid::regclass AS name, pg_get_triggerdef(pg_trigger.oid, true) AS sql
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
  UNION ALL
  SELECT 'FUNCTION', oid::regprocedure::text, replace(pg_get_functiondef(oid), pronamespace::regnamespace || '.' || proname, proname)
    FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
  ORDER BY 1, 2`;

/**
 * Statements of a new migration for what the database lacks of the entities and of `TRIGGERS`; both lists are empty when it lacks nothing.
 * Everything that is tried for the comparison is rolled back. Nobody else should use the database during the comparison.
 */
export async function schemaChanges(dataSource: DataSource): Promise<SchemaChanges> {
  const { upQueries, downQueries } = await dataSource.driver.createSchemaBuilder().log();
  const tables = { up: upQueries.map(({ query }) => query), down: downQueries.map(({ query }) => query).reverse() };
  const triggers = await triggerChanges(dataSource, tables.up);
  return { up: [...tables.up, ...triggers.up], down: [...triggers.down, ...tables.down] };
}

/** Compares the triggers of the database, once the statements have run, with those that `TRIGGERS` creates. */
async function triggerChanges(dataSource: DataSource, before: readonly string[]): Promise<SchemaChanges> {
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    for (const statement of before) await runner.query(statement);
    const present = await definitions(runner);
    for (const { kind, name } of present.values()) if (kind === 'FUNCTION') await runner.query(`DROP FUNCTION ${name} CASCADE`);
    for (const statement of TRIGGERS) await runner.query(statement);
    const wanted = await definitions(runner);
    return { up: steps(present, wanted), down: steps(wanted, present) };
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

async function definitions(runner: QueryRunner): Promise<Definitions> {
  const rows = (await runner.query(DEFINITIONS)) as Definition[];
  return new Map(rows.map((row) => [`${row.kind} ${row.name}`, row]));
}

/** The statements that lead from one state to another. Triggers need their functions, so that they go first and come last. */
function steps(from: Definitions, to: Definitions): string[] {
  const missing = (kind: Definition['kind'], here: Definitions, there: Definitions): Definition[] =>
    [...here].flatMap(([key, definition]) => (definition.kind === kind && !isSame(definition, there.get(key)) ? [definition] : []));
  return [
    ...missing('TRIGGER', from, to).map(({ name }) => `DROP TRIGGER ${name}`),
    ...missing('FUNCTION', to, from).map(({ sql }) => sql.trimEnd()),
    ...missing('TRIGGER', to, from).map(({ sql }) => sql),
    ...[...from].flatMap(([key, { kind, name }]) => (kind === 'FUNCTION' && !to.has(key) ? [`DROP FUNCTION ${name}`] : [])),
  ];
}

/** Checks whether two definitions differ in white space at most: a migration and the current-state file may be indented differently. */
function isSame(one: Definition, other: Definition | undefined): boolean {
  const withoutIndentation = ({ sql }: Definition): string => sql.replaceAll(/\s+/g, ' ');
  return other !== undefined && withoutIndentation(one) === withoutIndentation(other);
}
