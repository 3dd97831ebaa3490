import { Client } from 'pg';

import type { TestApp } from '../application/app.js';
import { eventually } from '../eventually.js';

/**
 * Runs a statement that locks something in a transaction of the test, and a call that waits for it; acts while the call waits, commits,
 * and returns the answer.
 */
export async function whileWaiting<T>(
  server: TestApp,
  lock: string,
  call: () => Promise<T>,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<T> {
  const blocker = new Client(server.database.connection);
  await blocker.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query(lock);
    const [{ pid }] = (await blocker.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
    const answer = call();
    await eventually('the change waits for the lock', async () => {
      const waiting = await server.dataSource.query<unknown[]>('SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))', [
        pid,
      ]);
      return waiting.length > 0;
    });
    await meanwhile();
    await blocker.query('COMMIT');
    return await answer;
  } finally {
    await blocker.end();
  }
}
