import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';

import { dataSourceOptions } from '../../src/database/data-source.js';
import { entities } from '../../src/entities.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/** Everything that a migration can make, in one text a thing. */
const SCHEMA_CONTENTS = `
  SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || coalesce(character_maximum_length::text, '')
         || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS thing
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
  UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'
  UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> 'migrations'
  UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'function ' || proname || ' ' || md5(prosrc) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
  UNION ALL SELECT 'type ' || typname FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
  ORDER BY thing`;

let database: TestDatabase;
let dataSource: DataSource;

beforeEach(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.connection, entities)).initialize();
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function contents(): Promise<string[]> {
  const rows = await dataSource.query<{ thing: string }[]>(SCHEMA_CONTENTS);
  return rows.map(({ thing }) => thing);
}

describe('the migrations', () => {
  it('make the schema that the entities describe', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('would be missed if an entity changed', async () => {
    await dataSource.query('ALTER TABLE tenants DROP COLUMN name');
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.length).toBeGreaterThan(0);
  });

  it('can all be taken back, and made again', async () => {
    const before = await contents();
    expect(before.length).toBeGreaterThan(50);
    const count = dataSource.migrations.length;
    for (let undone = 0; undone < count; undone++) await dataSource.undoLastMigration({ transaction: 'all' });
    expect(await contents()).toEqual([]);
    await dataSource.runMigrations({ transaction: 'all' });
    expect(await contents()).toEqual(before);
  });
});
