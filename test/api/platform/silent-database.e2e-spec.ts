import { setImmediate } from 'node:timers/promises';

import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { Logger } from '@nestjs/common';

import { isDatabaseOutage } from '../../../src/platform/common/errors/database-outage.js';
import { dataSourceOptions, poolOf } from '../../../src/platform/database/connection/data-source.js';
import { UnansweredQueries } from '../../../src/platform/database/connection/unanswered-queries.js';
import { createTestDatabase, type TestDatabase } from '../../support/brokers/postgres.js';
import { eventually } from '../../support/eventually.js';
import { DatabaseProxy } from '../../support/stand-ins/database-proxy.js';

/*
 * A proxy between the service and the database goes silent on a connection, and keeps it open; or the process of a transaction stands still.
 */

const NAME = 'device-management';
/** The number of an advisory lock. */
const LOCK = 4711;

let database: TestDatabase;
let proxy: DatabaseProxy;

beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await DatabaseProxy.start(database.connection);
});

afterEach(async () => {
  await proxy.stop();
  await database.drop();
});

/** A pool whose connections lead through the proxy. */
function openPool(size: number, answerTimeoutMs?: number): Promise<DataSource> {
  const connection = { ...database.connection, host: '127.0.0.1', port: proxy.port };
  return new DataSource(dataSourceOptions(connection, [], { name: 'tested', size, answerTimeoutMs })).initialize();
}

describe('a pool whose queries have a time-out', () => {
  it('fails a query on a connection that has gone silent, and uses another connection afterwards', async () => {
    const dataSource = await openPool(1, 1_000);
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    proxy.silence(NAME);
    const asked = dataSource.query('SELECT 2 AS two');
    const waiting = dataSource.query('SELECT 3 AS three');
    await expect(asked).rejects.toThrow('The database has not answered for 1 s.');
    await expect(asked).rejects.toSatisfy(isDatabaseOutage);
    proxy.silence(null);
    // This query waited for the only connection of the pool, and fails if that one was opened during the silence.
    await waiting.catch(() => undefined);
    expect(await dataSource.query('SELECT 4 AS four')).toEqual([{ four: 4 }]);
    await dataSource.destroy();
  });

  it('takes an answer that came while its process stood still', async () => {
    const options = { name: 'tested', size: 1, answerTimeoutMs: 1_000 };
    const dataSource = await new DataSource(dataSourceOptions(database.connection, [], options)).initialize();
    const asked = dataSource.query('SELECT 1 AS one');
    await setImmediate();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    expect(await asked).toEqual([{ one: 1 }]);
    await dataSource.destroy();
  });
});

describe('a pool whose queries may take any time', () => {
  let dataSource: DataSource;
  let watch: UnansweredQueries;
  let warn: MockInstance;

  beforeEach(async () => {
    warn = vi.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    dataSource = await openPool(4);
    // It asks PostgreSQL itself: the proxy goes silent on every connection that is used.
    watch = new UnansweredQueries(poolOf(dataSource), database.connection, 500);
  });

  afterEach(async () => {
    watch.onApplicationShutdown();
    await dataSource.destroy();
    vi.restoreAllMocks();
  });

  it('fails a query whose connection has gone silent, and leaves slow queries and open transactions alone', async () => {
    const holder = dataSource.createQueryRunner();
    await holder.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const slow = dataSource.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await eventually('the slow query waits', async () => {
      const [{ count }] = await dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return count === 1;
    });

    proxy.silence(NAME);
    await expect(dataSource.query('SELECT 1')).rejects.toSatisfy(isDatabaseOutage);
    expect(warn).toHaveBeenCalledWith('Ended connections to the database on which nothing arrives any more: 1.');
    proxy.silence(null);

    await holder.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    await slow;
    await holder.release();
    expect(await dataSource.query('SELECT 2 AS two')).toEqual([{ two: 2 }]);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('releases the locks of a transaction whose answer was lost', async () => {
    const lost = dataSource.createQueryRunner();
    await lost.startTransaction();
    await lost.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    proxy.silence(NAME);
    await expect(lost.query('SELECT 1')).rejects.toSatisfy(isDatabaseOutage);
    proxy.silence(null);
    await dataSource.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await lost.release();
  });
});

describe('a transaction whose process stands still', () => {
  let dataSource: DataSource;

  /** Opens a pool in a database whose administrator has set this limit. */
  async function withLimit(limit: string): Promise<DataSource> {
    const administrator = await openPool(1);
    await administrator.query(`ALTER DATABASE ${database.connection.database} SET idle_in_transaction_session_timeout = '${limit}'`);
    await administrator.destroy();
    dataSource = await openPool(2);
    return dataSource;
  }

  const limitOf = async (pool: DataSource): Promise<unknown> => {
    const [row] = await pool.query<{ limit: string }[]>(`SELECT current_setting('idle_in_transaction_session_timeout') AS limit`);
    return row.limit;
  };

  afterEach(() => dataSource.destroy());

  it.each([
    ['a minute', '0', '1min'],
    ['what the administrator has set', '5s', '5s'],
  ])('has %s', async (_, set, limit) => {
    expect(await limitOf(await withLimit(set))).toBe(limit);
  });

  it('is ended after that time, so that others get its locks', async () => {
    const pool = await withLimit('500ms');
    const still = pool.createQueryRunner();
    // In one query: the process may stand still between two.
    await still.query(`BEGIN; SELECT pg_advisory_xact_lock(${LOCK})`);
    await pool.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await expect(still.query('SELECT 1')).rejects.toSatisfy(isDatabaseOutage);
    await still.release();
  });
});
