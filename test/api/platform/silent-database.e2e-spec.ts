import { DataSource } from 'typeorm';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { dataSourceOptions } from '../../../src/platform/database/connection/data-source.js';
import { createTestDatabase, type TestDatabase } from '../../support/brokers/postgres.js';
import { DatabaseProxy } from '../../support/stand-ins/database-proxy.js';

/* A proxy between the service and the database goes silent on a connection, and keeps it open. */

const NAME = 'device-management';
const ANSWER_TIMEOUT_MS = 1_000;

let database: TestDatabase;
let proxy: DatabaseProxy;
let dataSource: DataSource;

beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await DatabaseProxy.start(database.connection);
  const connection = { ...database.connection, host: '127.0.0.1', port: proxy.port };
  const pool = { name: 'reports', size: 1, answerTimeoutMs: ANSWER_TIMEOUT_MS };
  dataSource = await new DataSource(dataSourceOptions(connection, [], pool)).initialize();
});

afterEach(async () => {
  await dataSource.destroy();
  await proxy.stop();
  await database.drop();
});

it('fails a query on a connection that has gone silent, and uses another connection afterwards', async () => {
  expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  proxy.silence(NAME);
  const asked = dataSource.query('SELECT 2 AS two');
  const waiting = dataSource.query('SELECT 3 AS three');
  await expect(asked).rejects.toThrow('The database has not answered for 1 s.');
  proxy.silence(null);
  // This query waited for the only connection of the pool, and fails if that one was opened during the silence.
  await waiting.catch(() => undefined);
  expect(await dataSource.query('SELECT 4 AS four')).toEqual([{ four: 4 }]);
});
