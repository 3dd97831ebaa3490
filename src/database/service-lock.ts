import type pg from 'pg';

import { AdvisoryLock } from './advisory-locks.js';
import { DatabaseError } from './database-error.js';
import { codeOf } from '../common/system-error.js';

/** How long a process that is being replaced has to let go of the database, in milliseconds. */
const WAIT_MS = 10_000;
/** The driver gives up later than the server, whose answer says why. */
const ANSWER_TIMEOUT_MS = WAIT_MS + 5_000;
/** SQLSTATE of a lock that was not free in time. */
const LOCK_NOT_AVAILABLE = '55P03';
/** With this variable, tests start processes that share a database before the service can do so. It is no option. */
const SHARED_BY_TESTS = 'DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE';

const IN_USE = 'Another process of this service uses the database. Only one at a time can: stop that one, then start this one again.';

/**
 * The lock by which one process has the database for itself. It is held by the listening connection (`invalidation-bus.ts`), and free as
 * soon as that connection is gone.
 */
export class ServiceLock {
  /** Whether this process shares the lock with others that do. */
  readonly isShared = process.env[SHARED_BY_TESTS] === 'yes';

  /**
   * Takes the lock for as long as the connection lasts. Waits 10 s for a process that is being replaced.
   * @throws DatabaseError when another process keeps it
   */
  async take(client: pg.Client): Promise<void> {
    try {
      await client.query(`SET lock_timeout = ${WAIT_MS}`);
      const text = `SELECT ${this.isShared ? 'pg_advisory_lock_shared' : 'pg_advisory_lock'}($1)`;
      await client.query({ text, values: [AdvisoryLock.Service], query_timeout: ANSWER_TIMEOUT_MS } as pg.QueryConfig);
      await client.query('RESET lock_timeout');
    } catch (error) {
      if (codeOf(error) === LOCK_NOT_AVAILABLE) throw new DatabaseError(IN_USE, { cause: error });
      throw error;
    }
  }
}
