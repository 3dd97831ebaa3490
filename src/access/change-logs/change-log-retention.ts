import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { ChainsRepository } from './chain/chains.repository.js';
import { ChangeLogsRepository } from './change-logs.repository.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Entries that one statement deletes. Small batches keep other writers from waiting when years of entries are deleted. */
const REMOVAL_BATCH = 5_000;

/** Deletes old entries of the change log, and the names that only they used. */
@Injectable()
export class ChangeLogRetention {
  constructor(
    private readonly repository: ChangeLogsRepository,
    private readonly chains: ChainsRepository,
    private readonly dataSource: DataSource,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Deletes entries that are older than `AuthorizationChangeLogRetentionDays` (0 or less keeps all) and returns how many. */
  async removeOld(signal: AbortSignal): Promise<number> {
    const days = this.settings.appOptions.authorizationChangeLogRetentionDays;
    if (days <= 0) return 0;
    const before = new Date(this.clock.milliseconds() - days * DAY_MS);
    let removed = 0;
    for (const logId of await this.chains.expired(this.dataSource.manager, before)) {
      removed += await inBatches(signal, () =>
        this.dataSource.transaction((manager) => this.chains.removeExpired(manager, logId, before, REMOVAL_BATCH)),
      );
    }
    removed += await inBatches(signal, () => this.chains.removeUnlinked(this.dataSource.manager, before, REMOVAL_BATCH));
    if (removed > 0) await this.repository.removeUnusedNames(this.dataSource.manager);
    return removed;
  }
}

/** Repeats a removal as long as it removes something, and returns how many in all. */
async function inBatches(signal: AbortSignal, remove: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let batch = 1; batch > 0 && !signal.aborted; removed += batch) batch = await remove();
  return removed;
}
