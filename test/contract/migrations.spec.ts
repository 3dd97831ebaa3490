import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';

import { entities } from '../../src/entities.js';
import { newGuid } from '../../src/platform/common/guid.js';
import { hashSecret } from '../../src/platform/common/secret.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { HashedInviteCodes1763820000000 } from '../../src/platform/database/migrations/1763820000000-hashed-invite-codes.js';
import { Registration1763930000000 } from '../../src/platform/database/migrations/1763930000000-registration.js';
import { OneTableOfSessions1763960000000 } from '../../src/platform/database/migrations/1763960000000-one-table-of-sessions.js';
import { schemaChanges } from '../../src/platform/database/schema-changes.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/** Everything that a migration can create, each as one text. */
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

describe('the migration of activation codes', () => {
  it('hashes those that were stored, so that links which people have go on working', async () => {
    const runner = dataSource.createQueryRunner();
    const migration = new HashedInviteCodes1763820000000();
    // It has an index on the hashes.
    const later = new Registration1763930000000();
    try {
      await later.down(runner);
      await migration.down(runner);
      const [tenantId, userId] = [newGuid(), newGuid()];
      await runner.query('INSERT INTO tenants (id, name) VALUES ($1, $2)', [tenantId, 'Contoso']);
      await runner.query(
        `INSERT INTO users (id, tenant_id, user_name, normalized_user_name, security_stamp) VALUES ($1, $2, 'a', 'A', gen_random_uuid())`,
        [userId, tenantId],
      );
      await runner.query(
        'INSERT INTO invites (id, tenant_id, invitee_email, user_id, activation_code) VALUES (gen_random_uuid(), $1, $2, $3, $4)',
        [tenantId, 'anna@example.org', userId, 'a-code'],
      );
      await migration.up(runner);
      await later.up(runner);
      const rows = (await runner.query('SELECT hashed_activation_code FROM invites')) as { hashed_activation_code: Buffer }[];
      expect(rows).toEqual([{ hashed_activation_code: hashSecret('a-code') }]);
    } finally {
      await runner.release();
    }
    expect(await schemaChanges(dataSource)).toEqual({ up: [], down: [] });
  });
});

describe('the migration to one table of sessions', () => {
  it('keeps programs signed in, in both directions', async () => {
    const runner = dataSource.createQueryRunner();
    const migration = new OneTableOfSessions1763960000000();
    const [tenantId, userId, id] = [newGuid(), newGuid(), newGuid()];
    const secrets = ['lineage', 'access', 'refresh'].map((text) => hashSecret(text));
    const insert = `
      INSERT INTO bearer_sessions (id, user_id, hashed_lineage, hashed_access, hashed_refresh, access_expires_at, refresh_expires_at, security_stamp)
      VALUES ($1, $2, $3, $4, $5, '2026-01-01T01:00:00Z', '2026-01-31T00:00:00Z', $1)`;
    const columns = 'hashed_lineage, hashed_refresh, access_expires_at, refresh_expires_at, security_stamp';
    try {
      await migration.down(runner);
      await runner.query('INSERT INTO tenants (id, name) VALUES ($1, $2)', [tenantId, 'Northwind']);
      await runner.query(
        `INSERT INTO users (id, tenant_id, user_name, normalized_user_name, security_stamp) VALUES ($1, $2, 'b', 'B', gen_random_uuid())`,
        [userId, tenantId],
      );
      await runner.query(insert, [id, userId, ...secrets]);
      const before: unknown = await runner.query(`SELECT ${columns}, hashed_access AS access FROM bearer_sessions WHERE id = $1`, [id]);
      await migration.up(runner);
      expect(await runner.query(`SELECT ${columns}, hashed_secret AS access FROM sessions WHERE id = $1`, [id])).toEqual(before);
      await migration.down(runner);
      expect(await runner.query(`SELECT ${columns}, hashed_access AS access FROM bearer_sessions WHERE id = $1`, [id])).toEqual(before);
      expect(await runner.query('SELECT id FROM sessions')).toEqual([]);
      await migration.up(runner);
      await runner.query('DELETE FROM tenants WHERE id = $1', [tenantId]);
    } finally {
      await runner.release();
    }
    expect(await schemaChanges(dataSource)).toEqual({ up: [], down: [] });
  });
});
