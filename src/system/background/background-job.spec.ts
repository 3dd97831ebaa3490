import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { createTestDatabase, type TestDatabase } from '../../../test/support/brokers/postgres.js';
import { dataSourceOptions } from '../../platform/database/connection/data-source.js';
import { BackgroundJob } from './background-job.js';

let database: TestDatabase;
let dataSource: DataSource;
/** The log entries with their levels. */
let entries: (readonly [level: string, entry: unknown])[];
/** The connection pool of a second node. */
let other: DataSource;

beforeAll(async () => {
  const note = (level: string) => (entry: unknown) => void entries.push([level, entry]);
  Logger.overrideLogger({ log: note('log'), error: note('error'), warn: note('warn'), debug: note('debug') });
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.connection, [])).initialize();
  other = await new DataSource(dataSourceOptions(database.connection, [])).initialize();
});

beforeEach(() => {
  entries = [];
});

afterAll(async () => {
  await Promise.all([dataSource.destroy(), other.destroy()]);
  await database.drop();
});

const { signal } = new AbortController();

/** Work that runs until the test releases it. */
function holdUp(): { readonly work: () => Promise<number>; readonly started: Promise<void>; readonly letGo: (count: number) => void } {
  let letGo: (count: number) => void = () => undefined;
  let start: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (start = resolve));
  const end = new Promise<number>((resolve) => (letGo = resolve));
  return {
    started,
    letGo: (count) => letGo(count),
    work: () => {
      start();
      return end;
    },
  };
}

describe('a background job', () => {
  it('returns the number of processed items and adds it to the total', async () => {
    const counts = [3, 0, 4];
    const job = new BackgroundJob('counting', 1, () => Promise.resolve(counts.shift() ?? 0));
    expect([await job.run(dataSource, signal), await job.run(dataSource, signal), await job.run(dataSource, signal)]).toEqual([3, 0, 4]);
    expect(job.dealtWith).toBe(7);
    const line = (count: number, total: number) => ({
      message: 'A background job is done.',
      job: 'counting',
      count,
      total,
      durationMs: expect.any(Number),
    });
    expect(entries).toEqual([
      ['log', line(3, 3)],
      ['debug', line(0, 3)],
      ['log', line(4, 7)],
    ]);
  });

  it('is skipped while another node runs it', async () => {
    const { work, started, letGo } = holdUp();
    const here = new BackgroundJob('shared', 1, work);
    const running = here.run(dataSource, signal);
    await started;
    let ran = 0;
    const there = new BackgroundJob('shared', 1, () => Promise.resolve((ran += 1)));
    expect(await there.run(other, signal)).toBeNull();
    expect(ran).toBe(0);
    expect(await new BackgroundJob('another', 1, () => Promise.resolve(5)).run(other, signal)).toBe(5);
    letGo(1);
    expect(await running).toBe(1);
    expect(await there.run(other, signal)).toBe(1);
  });

  it('releases its lock when it fails, and never throws', async () => {
    const failing = new BackgroundJob('failing', 1, () => Promise.reject(new Error('No luck.')));
    expect(await failing.run(dataSource, signal)).toBeNull();
    expect(failing.dealtWith).toBe(0);
    const message = 'A background job failed; its next run tries again.';
    expect(entries).toEqual([['error', { message, job: 'failing', reason: 'No luck.' }]]);
    expect(await new BackgroundJob('failing', 1, () => Promise.resolve(2)).run(other, signal)).toBe(2);
  });

  it('runs once in its period on all nodes together, and again when it failed or its period is over', async () => {
    let runs = 0;
    const job = (work = () => Promise.resolve((runs += 1))) => new BackgroundJob('periodic', 60_000, work);
    expect(await job(() => Promise.reject(new Error('No luck.'))).runIfDue(dataSource, signal)).toBeNull();
    const [here, there] = [job(), job()];
    expect([await here.runIfDue(dataSource, signal), await there.runIfDue(other, signal)]).toEqual([1, null]);
    expect(await here.run(dataSource, signal)).toBe(2);
    await dataSource.query(`UPDATE job_runs SET finished_at = finished_at - interval '55 seconds'`);
    expect([await there.runIfDue(other, signal), await here.runIfDue(dataSource, signal)]).toEqual([3, null]);
  });

  it('does not reject while the database is down', async () => {
    const gone = await new DataSource(dataSourceOptions(database.connection, [])).initialize();
    await gone.destroy();
    expect(await new BackgroundJob('homeless', 1, () => Promise.resolve(1)).run(gone, signal)).toBeNull();
  });

  it('passes the stop signal to its work', async () => {
    const stopping = new AbortController();
    stopping.abort();
    const job = new BackgroundJob('stopping', 1, (given) => Promise.resolve(given.aborted ? 9 : 0));
    expect(await job.run(dataSource, stopping.signal)).toBe(9);
  });

  it('releases its connection and its lock', async () => {
    const locks = await other.query<object[]>(`SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE l.locktype = 'advisory' AND d.datname = current_database()`);
    expect(locks).toEqual([]);
    const job = new BackgroundJob('often', 1, () => Promise.resolve(1));
    for (let turn = 0; turn < 50; turn += 1) expect(await job.run(dataSource, signal)).toBe(1);
  });
});
