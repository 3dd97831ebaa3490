import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { LogRetentions } from '../../access/log-retention/log-retentions.js';
import { RetainedLog } from '../../access/log-retention/retained-log.js';
import { inBatches } from '../../platform/common/concurrency/in-batches.js';
import { EventsRepository } from './events.repository.js';

/** Events that one statement deletes. Small batches keep other writers from waiting. */
const REMOVAL_BATCH = 5_000;

/** Deletes old events. */
@Injectable()
export class EventRetention {
  constructor(
    private readonly repository: EventsRepository,
    private readonly dataSource: DataSource,
    private readonly retentions: LogRetentions,
  ) {}

  /**
   * Deletes events that are older than `Events:RetentionDays`, and those of tenants that keep theirs for a shorter time. Returns how many.
   */
  async removeOld(signal: AbortSignal): Promise<number> {
    const before = this.retentions.serverExpiry(RetainedLog.Events);
    let removed = before === null ? 0 : await inBatches(signal, () => this.repository.removeOlder(before, REMOVAL_BATCH));
    for await (const { tenantId, before: own } of this.retentions.tenantExpiries(this.dataSource.manager, RetainedLog.Events, signal)) {
      removed += await inBatches(signal, () => this.repository.removeOlderOf(tenantId, own, REMOVAL_BATCH));
    }
    return removed;
  }
}
