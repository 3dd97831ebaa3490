import { setTimeout as delay } from 'node:timers/promises';

import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { systemContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog } from '../../access/authorization/change-log/change-log.js';
import { messageOf } from '../../platform/common/errors/errors.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { TenantsRepository, type TableOfTenant } from './tenants.repository.js';

/** Time for which a deletion waits for its removal before it answers, in milliseconds. By then a small tenant is gone. */
const ANSWER_WITHIN_MS = 1_000;

/** Rows that one transaction removes: it holds them, and all that hang on them, for some 50 ms. */
const BATCH = 500;

/**
 * Tables of which a tenant may have many rows, with the column that names the tenant. What hangs on a row goes with it, so that the
 * devices, on which most hangs, come first. All other tables follow the row of the tenant.
 */
const LARGE_TABLES: readonly TableOfTenant[] = [
  { table: 'devices', column: 'tenant_id' },
  { table: 'installer_key_usages', column: 'tenant_id' },
  { table: 'logon_tokens', column: 'tenant_id' },
  { table: 'permission_assignments', column: 'owning_tenant_id' },
  { table: 'users', column: 'tenant_id' },
  { table: 'service_accounts', column: 'tenant_id' },
  { table: 'user_groups', column: 'tenant_id' },
  { table: 'customers', column: 'tenant_id' },
  { table: 'events', column: 'tenant_id' },
];

/** Removes the rows of tenants whose deletion has begun, in short transactions, so that nobody waits for it. */
@Injectable()
export class TenantRemoval implements BeforeApplicationShutdown {
  private readonly logger = new Logger('TenantRemoval');
  private readonly stopped = new AbortController();
  /** The removals that deletions have started in this process. */
  private readonly started = new Set<Promise<void>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: TenantsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
  ) {}

  /** Ends the removals before the database connections close. The job continues them after the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.idle();
  }

  /** Starts to remove the rest of a tenant. Settles when nothing is left of it, or after a second: then the removal continues by itself. */
  async start(tenantId: string): Promise<void> {
    const removal = this.finish(tenantId);
    this.started.add(removal);
    const answered = new AbortController();
    const ended = removal.then(() => {
      this.started.delete(removal);
      answered.abort();
    });
    await Promise.race([ended, elapsed(ANSWER_WITHIN_MS, answered.signal)]);
  }

  /** Settles when no removal runs that a deletion has started. */
  async idle(): Promise<void> {
    await Promise.all(this.started);
  }

  /** Removes the rest of all tenants whose deletion was interrupted, and returns their number. */
  async finishAll(signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (const id of await this.repository.idsInRemoval(this.dataSource.manager)) if (await this.remove(id, signal)) removed += 1;
    return removed;
  }

  /** Removes the rest of a tenant. What fails is logged and left to {@link finishAll}: the tenant is unusable already. Never rejects. */
  private async finish(tenantId: string): Promise<void> {
    try {
      await this.remove(tenantId, this.stopped.signal);
    } catch (error) {
      this.logger.warn(`The rest of tenant ${tenantId} could not be removed now and will be later: ${messageOf(error)}`);
    }
  }

  /** Removes the rest of a tenant, the row of the tenant last, and closes its change log; false when the signal fired before. */
  private async remove(tenantId: string, signal: AbortSignal): Promise<boolean> {
    const { manager } = this.dataSource;
    for (const table of LARGE_TABLES) {
      // A batch that another process has just removed counts as none here.
      for (let isDone = false; !isDone;) {
        if (signal.aborted) return false;
        const count = await this.repository.removeRows(manager, table, tenantId, BATCH);
        isDone = count === 0 && !(await this.repository.hasRows(manager, table, tenantId));
      }
    }
    await this.unitOfWork.run(systemContext('deleted tenants', manager), async (tx) => {
      const removed = await this.repository.removeRow(tx.manager, tenantId);
      if (removed !== null) await this.changeLog.close(tx, removed);
    });
    return true;
  }
}

/** Settles after a time in milliseconds, or when the signal fires. */
async function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
