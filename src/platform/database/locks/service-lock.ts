import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';

import { DatabaseError } from '../../common/errors/database-error.js';
import { Settings } from '../../config/settings.js';
import { AdvisoryLock, lockWhileConnected } from './advisory-locks.js';

/** Time that a process which is being replaced has to let go of the database, in milliseconds. */
const WAIT_MS = 10_000;
/** With this variable, tests start processes that share a database before the service can do so. It is no option. */
const SHARED_BY_TESTS = 'DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE';

const IN_USE =
  'Another process of this service uses the database. Stop that one, then start this one again. Several at a time need Service_Nodes__Nats on all of them.';

/**
 * The lock by which one process has the database for itself. It is held by the listening connection (`invalidation-bus.ts`), and free as
 * soon as that connection is gone.
 */
@Injectable()
export class ServiceLock {
  /** True if this process shares the lock with others that do. */
  readonly isShared: boolean;

  constructor(@Inject(Settings) { nodes }: { readonly nodes: { readonly nats: readonly string[] } }) {
    this.isShared = nodes.nats.length > 0 || process.env[SHARED_BY_TESTS] === 'yes';
  }

  /**
   * Takes the lock for as long as the connection lasts. Waits 10 s for a process that is being replaced.
   * @throws DatabaseError when another process keeps it
   */
  async take(client: pg.Client): Promise<void> {
    const mode = this.isShared ? 'shared' : 'exclusive';
    if (!(await lockWhileConnected(client, AdvisoryLock.Service, mode, WAIT_MS))) throw new DatabaseError(IN_USE);
  }
}
