import { Injectable } from '@nestjs/common';

import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { EventsRepository } from './events.repository.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Events that one statement deletes. Small batches keep other writers from waiting. */
const REMOVAL_BATCH = 5_000;

/** Deletes old events. */
@Injectable()
export class EventRetention {
  constructor(
    private readonly repository: EventsRepository,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Deletes events that are older than `Events:RetentionDays` and returns how many. */
  async removeOld(signal: AbortSignal): Promise<number> {
    const before = new Date(this.clock.milliseconds() - this.settings.events.retentionDays * DAY_MS);
    let removed = 0;
    for (let batch = REMOVAL_BATCH; batch === REMOVAL_BATCH && !signal.aborted; removed += batch) {
      batch = await this.repository.removeOlder(before, REMOVAL_BATCH);
    }
    return removed;
  }
}
