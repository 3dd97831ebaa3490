import type { MigrationInterface, QueryRunner } from 'typeorm';
import { describe, expect, it, onTestFinished } from 'vitest';

import { entities } from '../../../src/entities.js';
import { dataSourceOptions } from '../../../src/platform/database/connection/data-source.js';
import { openDataSource } from '../../../src/platform/database/connection/open-data-source.js';
import { migrations } from '../../../src/platform/database/migrations/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/brokers/postgres.js';
import { eventually } from '../../support/eventually.js';
import { query } from '../backup/backups.js';
import { Held } from './upgrades.js';

const ROWS = 20_000;

class AddLabels9999999999997 implements MigrationInterface {
  readonly name = 'AddLabels9999999999997';
  readonly locks = ['customers'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE customers ADD COLUMN label text, ADD COLUMN changes integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE customers DROP COLUMN label, DROP COLUMN changes');
  }
}

class FillLabels9999999999998 implements MigrationInterface {
  readonly name = 'FillLabels9999999999998';
  readonly locks: readonly string[] = [];
  readonly step = `UPDATE customers SET label = name, changes = changes + 1
    WHERE id IN (SELECT id FROM customers WHERE label IS NULL ORDER BY name LIMIT $1)`;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(this.step, [null]);
  }

  async down(): Promise<void> {
    // The column goes with the migration before.
  }
}

class RequireLabels9999999999999 implements MigrationInterface {
  readonly name = 'RequireLabels9999999999999';
  readonly locks = ['customers'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE customers ALTER COLUMN label SET NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE customers ALTER COLUMN label DROP NOT NULL');
  }
}

const LATER = [AddLabels9999999999997, FillLabels9999999999998, RequireLabels9999999999999];

async function upgrade({ connection }: TestDatabase, later: readonly (new () => MigrationInterface)[] = LATER): Promise<void> {
  await (await openDataSource({ ...dataSourceOptions(connection, entities), migrations: [...migrations, ...later] })).destroy();
}

async function laterIn(database: TestDatabase): Promise<readonly string[]> {
  const rows = await query<{ name: string }>(database, `SELECT name FROM migrations WHERE timestamp > 9999999999990 ORDER BY id`);
  return rows.map(({ name }) => name);
}

async function labelledIn(database: TestDatabase): Promise<number> {
  const [{ count }] = await query<{ count: number }>(database, 'SELECT count(*)::int AS count FROM customers WHERE label IS NOT NULL');
  return count;
}

async function databaseWithCustomers(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  await query(database, `INSERT INTO tenants (id, name) VALUES (gen_random_uuid(), 'Northwind')`);
  await query(
    database,
    `INSERT INTO customers (id, tenant_id, name) SELECT gen_random_uuid(), t.id, to_char(n, '000000') FROM tenants t, generate_series(1, ${ROWS}) n`,
  );
  return database;
}

describe('a migration that changes rows in steps', () => {
  it('commits each, lets others write, and goes on with the next start where it was ended', async () => {
    const database = await databaseWithCustomers();
    await upgrade(database, [AddLabels9999999999997]);
    // The last row keeps the last step waiting.
    const held = await Held.by(database, `SELECT FROM customers WHERE name = to_char(${ROWS}, '000000') FOR UPDATE`);
    const ended = upgrade(database).then(
      () => null,
      (error: unknown) => error,
    );
    const isWaiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE customers%'`;
    await eventually('the last step waits', async () => (await query(database, isWaiting)).length > 0);
    const labelled = await labelledIn(database);
    expect(labelled).toBeGreaterThan(0);
    expect(labelled).toBeLessThan(ROWS);
    expect(await laterIn(database)).toEqual(['AddLabels9999999999997']);
    // Nobody waits for the rows of the steps before.
    await query(database, `UPDATE customers SET notes = 'by another' WHERE name = to_char(1, '000000')`);

    const end = `SELECT pg_cancel_backend(pid) FROM (${isWaiting}) AS waiting`;
    await eventually('the step is ended', async () => (await query(database, end)).length > 0);
    expect(await ended).toMatchObject({
      message: expect.stringContaining('by FillLabels9999999999998: canceling statement due to user request') as string,
    });
    await held.release();
    await upgrade(database);
    expect(await laterIn(database)).toEqual(LATER.map(({ name }) => name));
    expect(await query(database, 'SELECT label = name AS is_right, changes, count(*)::int FROM customers GROUP BY 1, 2')).toEqual([
      { is_right: true, changes: 1, count: ROWS },
    ]);
    expect(await query(database, `SELECT count(*)::int FROM customers WHERE notes = 'by another'`)).toEqual([{ count: 1 }]);
  });
});
