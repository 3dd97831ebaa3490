import type { User } from '../../src/people/users/user.entity.js';
import type { TestApp } from './app.js';
import { eventually } from './eventually.js';

const WAITS_FOR_USER = `
  SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM users%'`;

/** Writes something of a user whose deletion has begun, and is completed when the write waits for it or is answered. */
export async function duringDeletionOf<T>(server: TestApp, { id }: Pick<User, 'id'>, write: () => Promise<T>): Promise<T> {
  const runner = server.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('DELETE FROM users WHERE id = $1', [id]);
  let isAnswered = false;
  const written = write().finally(() => (isAnswered = true));
  await eventually('the write is answered or waits for the deletion', async () => {
    return isAnswered || (await server.dataSource.query<object[]>(WAITS_FOR_USER)).length > 0;
  });
  await runner.commitTransaction();
  await runner.release();
  return written;
}
