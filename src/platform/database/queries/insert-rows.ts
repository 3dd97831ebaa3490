import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

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
  const { tablePath, columns } = manager.connection.getMetadata(entity);
  const given = columns.filter(({ propertyName }) => rows[0][propertyName] !== undefined);
  const names = given.map(({ databaseName }) => `"${databaseName}"`).join(', ');
  const arrays = given.map((column, index) => `$${index + 1}::${manager.connection.driver.normalizeType(column)}[]`).join(', ');
  await manager.query(
    `INSERT INTO "${tablePath}" (${names}) SELECT * FROM unnest(${arrays})`,
    given.map(({ propertyName }) => rows.map((row): unknown => row[propertyName])),
  );
}
