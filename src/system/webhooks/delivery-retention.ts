import { Injectable } from '@nestjs/common';

import { Clock } from '../../platform/common/runtime/clock.js';
import { WebhooksRepository } from './webhooks.repository.js';

const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;
/** Deliveries that one statement deletes. Small batches keep other writers from waiting. */
const REMOVAL_BATCH = 1_000;

/** Deletes deliveries to webhooks that are older than seven days. */
@Injectable()
export class DeliveryRetention {
  constructor(
    private readonly repository: WebhooksRepository,
    private readonly clock: Clock,
  ) {}

  /** Deletes old deliveries and returns how many. */
  async removeOld(signal: AbortSignal): Promise<number> {
    const before = new Date(this.clock.milliseconds() - RETENTION_MS);
    let removed = 0;
    for (let batch = REMOVAL_BATCH; batch === REMOVAL_BATCH && !signal.aborted; removed += batch) {
      batch = await this.repository.removeOlder(before, REMOVAL_BATCH);
    }
    return removed;
  }
}
