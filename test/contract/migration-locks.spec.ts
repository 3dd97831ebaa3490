import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, onTestFinished } from 'vitest';
import { DataSource, type QueryRunner } from 'typeorm';

import { dataSourceOptions } from '../../src/platform/database/connection/data-source.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import type { MarkedMigration } from '../../src/platform/database/schema/schema-floor.js';
import { createTestDatabase } from '../support/brokers/postgres.js';

/** Locks of tables for which writes of other processes wait. */
const HELD = `
  SELECT DISTINCT c.relname AS name FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
  WHERE l.pid = pg_backend_pid() AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`;
const TABLES = `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

async function names(runner: QueryRunner, query: string): Promise<readonly string[]> {
  const rows = (await runner.query(query)) as { readonly name: string }[];
  return rows.map(({ name }) => name);
}

/** The tables that existed before a migration, and whose writers wait for it. */
async function lockedBy(runner: QueryRunner, migration: MarkedMigration): Promise<readonly string[]> {
  const before = new Set(await names(runner, TABLES));
  await runner.startTransaction();
  await migration.up(runner);
  const held = await names(runner, HELD);
  await runner.commitTransaction();
  return held.filter((name) => before.has(name)).sort();
}

describe('migrations', () => {
  it('name the tables whose writers wait for them, and docs/operations.md says for how long', async () => {
    const database = await createTestDatabase();
    const dataSource = await new DataSource(dataSourceOptions(database.connection, [])).initialize();
    const runner = dataSource.createQueryRunner();
    onTestFinished(async () => {
      await runner.release();
      await dataSource.destroy();
      await database.drop();
    });
    const document = await readFile(fileURLToPath(new URL('../../docs/operations.md', import.meta.url)), 'utf8');
    await runner.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const [first, ...later] = migrations.map((Migration): MarkedMigration & { readonly name: string } => new Migration());
    await first?.up(runner);
    for (const migration of later) {
      const locked = await lockedBy(runner, migration);
      expect([migration.name, migration.locks]).toEqual([migration.name, locked]);
      const [, cell] = new RegExp(`^\\| \`${migration.name}\` +\\| (.+?) +\\| .+ \\|$`, 'm').exec(document) ?? [];
      expect([migration.name, cell]).toEqual([
        migration.name,
        locked.length === 0 ? 'none' : locked.map((name) => `\`${name}\``).join(', '),
      ]);
    }
  });
});
