import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/** A statement with its parameters. */
interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * Inserts many rows with one statement, whose text stays short because each column is passed as an array. All rows must have the
 * members of the first one; other columns get their default. Columns that are arrays themselves are not supported.
 */
export async function insertRows<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  rows: readonly Partial<T>[],
): Promise<void> {
  if (rows.length === 0) return;
  const { sql, parameters } = insertionOf(manager, entity, rows);
  await manager.query(sql, [...parameters]);
}

/** The statement of {@link insertRows} for at least one row. It may be continued by a condition. */
export function insertionOf<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  rows: readonly Partial<T>[],
): Statement {
  const { tablePath, columns } = manager.connection.getMetadata(entity);
  const given = columns.filter(({ propertyName }) => rows[0][propertyName] !== undefined);
  const names = given.map(({ databaseName }) => `"${databaseName}"`).join(', ');
  const arrays = given.map((column, index) => `$${index + 1}::${manager.connection.driver.normalizeType(column)}[]`).join(', ');
  return {
    sql: `INSERT INTO "${tablePath}" (${names}) SELECT * FROM unnest(${arrays})`,
    parameters: given.map(({ propertyName }) => rows.map((row): unknown => row[propertyName])),
  };
}
