import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';

import { TestClock } from '../../../test/support/application/test-clock.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/brokers/postgres.js';
import { dataSourceOptions } from '../../platform/database/connection/data-source.js';
import { removeOverWindows, RequestWindows } from './request-windows.js';

const MINUTE = 60_000;

let database: TestDatabase;
let dataSource: DataSource;
let clock: TestClock;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.connection, [])).initialize();
});

beforeEach(async () => {
  await dataSource.query('DELETE FROM request_windows');
  clock = new TestClock();
  clock.stop();
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** The windows as one of several processes counts in them. */
const process = (): RequestWindows => new RequestWindows(clock, dataSource);
const isBlocked = async (windows: RequestWindows, key: string): Promise<boolean> => (await windows.increment(key, MINUTE, 2)).isBlocked;

describe('windows of requests', () => {
  it('block requests beyond the limit until the window ends, each key by itself', async () => {
    const windows = process();
    const blocked = [];
    for (const key of ['a', 'a', 'a', 'b']) blocked.push(await isBlocked(windows, key));
    expect(blocked).toEqual([false, false, true, false]);
    clock.advance(MINUTE - 1);
    expect(await isBlocked(windows, 'a')).toBe(true);
    clock.advance(1);
    expect(await isBlocked(windows, 'a')).toBe(false);
  });

  it('say in whole seconds when the window ends, which further requests do not prolong', async () => {
    const windows = process();
    await windows.increment('a', MINUTE, 1);
    clock.advance(1_500);
    expect(await windows.increment('a', MINUTE, 1)).toEqual({ totalHits: 2, timeToExpire: 59, isBlocked: true, timeToBlockExpire: 59 });
  });

  it('count the requests of all processes together, also at once', async () => {
    const processes = [process(), process(), process()];
    const counts = await Promise.all(processes.flatMap((each) => [each.increment('a', MINUTE, 4), each.increment('a', MINUTE, 4)]));
    expect(counts.map(({ totalHits }) => totalHits).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(counts.filter((count) => count.isBlocked)).toHaveLength(2);
  });

  it('ask nothing more of the database while a window is over its limit', async () => {
    const windows = process();
    for (let request = 0; request < 10; request += 1) await isBlocked(windows, 'a');
    expect(await dataSource.query('SELECT count FROM request_windows')).toEqual([{ count: 3 }]);
  });

  it('are removed when they are over', async () => {
    const windows = process();
    await isBlocked(windows, 'a');
    clock.advance(MINUTE);
    await isBlocked(windows, 'b');
    expect(await removeOverWindows(dataSource, clock.now(), 10)).toBe(1);
    expect(await dataSource.query('SELECT key FROM request_windows')).toEqual([{ key: 'b' }]);
  });
});
