import { Injectable, Logger } from '@nestjs/common';

import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { ForwardedLog } from './forwarded-line.js';
import { ForwardingRepository } from './forwarding.repository.js';

/** Rows that one statement deletes. Small batches keep other writers from waiting. */
const REMOVAL_BATCH = 5_000;

/**
 * Deletes rows that were forwarded, and those that waited too long for a receiver: these are counted for the destination and named in the
 * log, because nobody else notices. Retention of the logs themselves takes nothing away from forwarding, whose rows are copies.
 */
@Injectable()
export class ForwardingRetention {
  private readonly logger = new Logger('Forwarding');

  constructor(
    private readonly repository: ForwardingRepository,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Deletes them and returns how many rows it deleted. */
  async removeOld(signal: AbortSignal): Promise<number> {
    const { retentionDays } = this.settings.forwarding;
    for (const { destination, log, count } of await this.repository.giveUp(this.clock.daysAgo(retentionDays))) {
      const message = `Rows that waited longer than ${retentionDays} days to be forwarded are removed: their receiver never gets them.`;
      this.logger.error({ message, destination, log, count });
    }
    let removed = 0;
    for (const log of Object.values(ForwardedLog)) {
      for (let batch = REMOVAL_BATCH; batch === REMOVAL_BATCH && !signal.aborted; removed += batch) {
        batch = await this.repository.removeDone(log, REMOVAL_BATCH);
      }
    }
    return removed;
  }
}
