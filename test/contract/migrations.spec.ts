import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from 'pg';
import { DataSource } from 'typeorm';

import { entities } from '../../src/entities.js';
import { dataSourceOptions } from '../../src/platform/database/connection/data-source.js';
import { openDataSource } from '../../src/platform/database/connection/open-data-source.js';
import { schemaChanges } from '../../src/platform/database/schema/schema-changes.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';

/** Everything that a migration can create, each as one text. */
const SCHEMA_CONTENTS = `
  SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || coalesce(character_maximum_length::text, '')
         || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS thing
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
  UNION ALL SELECT 'table ' || relname || ' ' || relpersistence::text || ' ' || coalesce(reloptions::text, '') || ' '
         || coalesce(obj_description(oid, 'pg_class'), '')
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'migrations'
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

async function contents(of = dataSource): Promise<string[]> {
  const rows = await of.query<{ thing: string }[]>(SCHEMA_CONTENTS);
  return rows.map(({ thing }) => thing);
}

const run = async (statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await dataSource.query(statement);
};

describe('the migrations', () => {
  it('create the schema that the entities and the current-state files of the triggers describe', async () => {
    expect(await schemaChanges(dataSource)).toEqual({ up: [], down: [] });
  });

  it.each([
    ['a column is missing', ['ALTER TABLE tenants DROP COLUMN name']],
    ['a trigger is missing', ['DROP TRIGGER delete_principal_assignments ON users']],
    [
      'a trigger differs',
      [
        'DROP TRIGGER device_tagged ON device_tags',
        'CREATE TRIGGER device_tagged AFTER INSERT ON device_tags FOR EACH ROW EXECUTE FUNCTION set_device_tagged()',
      ],
    ],
    ['a trigger is left over', ['CREATE TRIGGER left_over AFTER DELETE ON tags FOR EACH ROW EXECUTE FUNCTION notify_invalidation()']],
    ['a function is missing', ['DROP FUNCTION set_device_tagged CASCADE']],
    [
      'a function differs',
      [`CREATE OR REPLACE FUNCTION set_device_tagged() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; /* other */ END $$`],
    ],
    ['a function is left over', ['CREATE FUNCTION left_over() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$']],
  ])('are drafted from what the database lacks, up and down: %s', async (_what, damage) => {
    const intact = await contents();
    await run(damage);
    const damaged = await contents();
    const { up, down } = await schemaChanges(dataSource);
    expect(await contents()).toEqual(damaged);
    await run(up);
    expect(await schemaChanges(dataSource)).toEqual({ up: [], down: [] });
    expect((await contents()).length).toBe(intact.length);
    await run(down);
    expect(await contents()).toEqual(damaged);
  });

  it('keep their own text: they import nothing that could change after their release', async () => {
    const folder = fileURLToPath(new URL('../../src/platform/database/migrations/', import.meta.url));
    const files = (await readdir(folder)).filter((file) => file !== 'index.ts');
    expect(files.length).toBe(dataSource.migrations.length);
    for (const file of files) {
      const imports = [...(await readFile(join(folder, file), 'utf8')).matchAll(/\bfrom '([^']+)'/g)].map(([, specifier]) => specifier);
      expect(imports).toEqual(['typeorm']);
    }
  });

  it('can all be reverted and run again', async () => {
    const before = await contents();
    expect(before.length).toBeGreaterThan(50);
    const count = dataSource.migrations.length;
    for (let undone = 0; undone < count; undone++) await dataSource.undoLastMigration({ transaction: 'all' });
    expect(await contents()).toEqual([]);
    await dataSource.runMigrations({ transaction: 'all' });
    expect(await contents()).toEqual(before);
  });
});

describe('a database of the first schema', () => {
  let first: TestDatabase;
  let upgraded: DataSource;
  /** The number of rows of each table before the upgrade. */
  let before: Readonly<Record<string, number>>;

  beforeEach(async () => {
    first = await createTestDatabase();
    const client = new Client(first.connection);
    await client.connect();
    try {
      await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      await client.query(await readFile(new URL('fixtures/first-schema.sql', import.meta.url), 'utf8'));
      before = await rowCounts(async (text) => (await client.query<{ name: string; rows: number }>(text)).rows);
    } finally {
      await client.end();
    }
    upgraded = await openDataSource(dataSourceOptions(first.connection, entities));
  });
  afterEach(async () => {
    await upgraded.destroy();
    await first.drop();
  });

  it('gets the schema of a new database', async () => {
    expect(await contents(upgraded)).toEqual(await contents());
    expect(await schemaChanges(upgraded)).toEqual({ up: [], down: [] });
  });

  it('keeps the rows that each of its tables has, and the entities read them', async () => {
    expect(Object.keys(before).length).toBeGreaterThan(40);
    expect(Object.entries(before).filter(([, rows]) => rows === 0)).toEqual([]);
    const after = await rowCounts((text) => upgraded.query(text));
    expect({ ...after, migrations: 0 }).toMatchObject({ ...before, migrations: 0 });
    for (const { tableName, target } of upgraded.entityMetadatas) {
      expect({ [tableName]: (await upgraded.manager.find(target, { withDeleted: true })).length }).toEqual({
        [tableName]: after[tableName],
      });
    }
  });

  async function rowCounts(
    query: (text: string) => Promise<readonly { readonly name: string; readonly rows: number }[]>,
  ): Promise<Record<string, number>> {
    const tables = await query(`SELECT tablename AS name, 0 AS rows FROM pg_tables WHERE schemaname = 'public'`);
    const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS rows FROM "${name}"`);
    return Object.fromEntries((await query(counts.join(' UNION ALL '))).map(({ name, rows }) => [name, rows]));
  }
});
