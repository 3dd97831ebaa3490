import type { Logger } from '@nestjs/common';

import { UpdateRefusal } from '../update-acceptance.js';

/** Time after a logged failure within which further ones are only counted, in milliseconds. */
const WINDOW_MS = 10_000;

/**
 * Tells the operator of reports that could not be stored. While the database is away, those of all devices fail: one of them is named every
 * ten seconds, with the number of the others since the line before.
 */
export class FailedReportsNotice {
  private windowEnds = -Infinity;
  private others = 0;

  constructor(private readonly logger: Logger) {}

  /** Notes a report that failed at a time of a monotonic clock, in milliseconds. */
  note(deviceId: string, error: unknown, now: number): void {
    if (now < this.windowEnds) {
      this.others += 1;
      return;
    }
    const cause = error instanceof Error ? error.stack : String(error);
    this.logger.error({ message: UpdateRefusal.Failed, deviceId, error: cause, ...(this.others > 0 ? { others: this.others } : {}) });
    this.windowEnds = now + WINDOW_MS;
    this.others = 0;
  }
}
