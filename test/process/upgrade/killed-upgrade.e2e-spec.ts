import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DataSource } from 'typeorm';

import { untilListening } from '../../../demo/service.js';
import { entities } from '../../../src/entities.js';
import { dataSourceOptions } from '../../../src/platform/database/connection/data-source.js';
import { AdvisoryLock } from '../../../src/platform/database/locks/advisory-locks.js';
import { migrations } from '../../../src/platform/database/migrations/index.js';
import { schemaChanges } from '../../../src/platform/database/schema/schema-changes.js';
import { LEFT_OUT } from '../../../src/system/backups/tables.js';
import type { TestDatabase } from '../../support/brokers/postgres.js';
import { eventually } from '../../support/eventually.js';
import { Machine, onDatabase } from '../../support/processes/service-process.js';
import { contentsOf, firstDatabase, isConnected, query } from '../backup/backups.js';
import { Held, lostRows, rowsOfAllBut } from './upgrades.js';

/** A lock that keeps the upgrade at one point: its statement, and the table for which the upgrade waits. */
type Point = readonly [table: string, statement: string];

const tableIn = (table: string, mode: string): Point => [table, `LOCK TABLE ${table} IN ${mode} MODE`];

/** In the order in which an upgrade comes to them. */
const POINTS: readonly Point[] = [
  ['advisory', `SELECT pg_advisory_lock(${AdvisoryLock.Migration})`],
  // Written before the first migration.
  tableIn('schema_floor', 'SHARE'),
  tableIn('devices', 'ACCESS SHARE'),
  // Each migration ends with its row.
  tableIn('migrations', 'SHARE'),
  tableIn('tenants', 'ROW EXCLUSIVE'),
  tableIn('authorization_change_logs', 'ROW EXCLUSIVE'),
  tableIn('users', 'ACCESS SHARE'),
  tableIn('device_activities', 'ACCESS SHARE'),
  tableIn('device_groups', 'ROW EXCLUSIVE'),
  tableIn('installer_keys', 'ROW EXCLUSIVE'),
  tableIn('permission_assignments', 'SHARE'),
];

/** Statement that keeps the upgraded service from creating its account. */
const BOOTSTRAP = `SELECT pg_advisory_lock(${AdvisoryLock.Bootstrap})`;

/** Also raised before the upgrade, so that an older release keeps off what may be half done. */
const FLOOR = 'schema_floor';

let machine: Machine;

beforeAll(async () => {
  machine = await Machine.open();
});

afterAll(() => machine.close());

async function former(): Promise<TestDatabase> {
  const database = await firstDatabase();
  onTestFinished(() => database.drop());
  return database;
}

const doneIn = async (database: TestDatabase): Promise<readonly string[]> =>
  (await query<{ name: string }>(database, 'SELECT name FROM migrations ORDER BY id')).map(({ name }) => name);

/** Starts the service, and expects the schema of this release with every row of the former one. */
async function expectUpgrade(database: TestDatabase, rows: Awaited<ReturnType<typeof rowsOfAllBut>>): Promise<void> {
  // The upgraded service creates its account next, and then cleans up what has expired.
  const held = await Held.by(database, BOOTSTRAP);
  const program = machine.launch(onDatabase(database));
  try {
    await held.untilAwaited('advisory');
    expect(await lostRows(database, rows)).toEqual({});
  } finally {
    await held.release();
  }
  await untilListening(program);
  await program.stop();
  expect(await doneIn(database)).toEqual(migrations.map(({ name }) => name));
  const dataSource = await new DataSource(dataSourceOptions(database.connection, entities)).initialize();
  try {
    expect(await schemaChanges(dataSource)).toEqual({ up: [], down: [] });
  } finally {
    await dataSource.destroy();
  }
}

describe('a service that is killed while it upgrades the first schema', () => {
  it.each(POINTS)('leaves all as it was while it waits for %s, and the next start upgrades it', async (table, statement) => {
    const database = await former();
    const [before, rows] = [await contentsOf(database), await rowsOfAllBut(database, [...LEFT_OUT, FLOOR])];
    const held = await Held.by(database, statement);
    const killed = machine.launch(onDatabase(database));
    try {
      await held.untilAwaited(table);
    } finally {
      await killed.kill();
      await held.release();
    }
    await eventually('its connections have ended', async () => !(await isConnected(database)));
    expect({ ...(await contentsOf(database)), [FLOOR]: '' }).toEqual({ ...before, [FLOOR]: '' });
    await expectUpgrade(database, rows);
  });

  it('has the new schema as soon as it is committed, and the next start goes on with it', async () => {
    const database = await former();
    const rows = await rowsOfAllBut(database, [...LEFT_OUT, FLOOR]);
    // It goes no further before it is killed: it would clean up.
    const held = await Held.by(database, BOOTSTRAP);
    const killed = machine.launch(onDatabase(database));
    try {
      await eventually('the upgrade is committed', async () => (await doneIn(database)).length > 1);
    } finally {
      await killed.kill();
      await held.release();
    }
    await eventually('its connections have ended', async () => !(await isConnected(database)));
    expect(await doneIn(database)).toEqual(migrations.map(({ name }) => name));
    await expectUpgrade(database, rows);
  });
});
