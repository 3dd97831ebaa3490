import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { inBatches } from '../../platform/common/concurrency/in-batches.js';
import { LogRetentions } from '../log-retention/log-retentions.js';
import { RetainedLog } from '../log-retention/retained-log.js';
import { ChainsRepository } from './chain/chains.repository.js';
import { ChangeLogsRepository } from './change-logs.repository.js';

/** Entries that one statement deletes. Small batches keep other writers from waiting when years of entries are deleted. */
const REMOVAL_BATCH = 5_000;

/** Deletes old entries of the change log, and the names that only they used. */
@Injectable()
export class ChangeLogRetention {
  constructor(
    private readonly repository: ChangeLogsRepository,
    private readonly chains: ChainsRepository,
    private readonly dataSource: DataSource,
    private readonly retentions: LogRetentions,
  ) {}

  /**
   * Deletes entries that are older than `AuthorizationChangeLogRetentionDays` (0 or less keeps all), and those of tenants that keep theirs for
   * a shorter time. Returns how many.
   */
  async removeOld(signal: AbortSignal): Promise<number> {
    const { manager } = this.dataSource;
    const before = this.retentions.serverExpiry(RetainedLog.ChangeLog);
    let removed = before === null ? 0 : await this.removeOfAll(before, signal);
    for await (const { tenantId, before: own } of this.retentions.tenantExpiries(manager, RetainedLog.ChangeLog, signal)) {
      removed += await this.removeOf(tenantId, own, signal);
      removed += await inBatches(signal, () => this.chains.removeUnlinkedOf(manager, tenantId, own, REMOVAL_BATCH));
    }
    if (removed > 0) await this.repository.removeUnusedNames(manager);
    return removed;
  }

  private async removeOfAll(before: Date, signal: AbortSignal): Promise<number> {
    const { manager } = this.dataSource;
    let removed = 0;
    for (const logId of await this.chains.expired(manager, before)) removed += await this.removeOf(logId, before, signal);
    return removed + (await inBatches(signal, () => this.chains.removeUnlinked(manager, before, REMOVAL_BATCH)));
  }

  private removeOf(logId: string, before: Date, signal: AbortSignal): Promise<number> {
    return inBatches(signal, () =>
      this.dataSource.transaction((manager) => this.chains.removeExpired(manager, logId, before, REMOVAL_BATCH)),
    );
  }
}
