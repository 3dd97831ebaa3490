import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { ChangeLogsRepository } from './change-logs.repository.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Entries that one statement deletes. Small batches keep other writers from waiting when years of entries are deleted. */
const REMOVAL_BATCH = 5_000;

/** Deletes old entries of the change log, and the names that only they used. */
@Injectable()
export class ChangeLogRetention {
  constructor(
    private readonly repository: ChangeLogsRepository,
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
    for (let batch = REMOVAL_BATCH; batch === REMOVAL_BATCH && !signal.aborted; removed += batch) {
      batch = await this.repository.removeOlder(this.dataSource.manager, before, REMOVAL_BATCH);
    }
    if (removed > 0) await this.repository.removeUnusedNames(this.dataSource.manager);
    return removed;
  }
}
