import type { Logger } from '@nestjs/common';

/** Tells the operator once when device rows begin to be held by other transactions, and once when none is held any more. */
export class LockedRowsNotice {
  /** Most devices held back at once since the first of them; 0 while none is. */
  private most = 0;

  constructor(private readonly logger: Logger) {}

  /** Notes the number of devices that are held back now. */
  update(deviceCount: number): void {
    if (deviceCount > 0 && this.most === 0) {
      this.logger.warn(
        `Another transaction holds rows of devices, ${deviceCount} so far. Updates of these devices wait until it ends; all others ` +
          'continue. In pg_stat_activity it is the one with the oldest xact_start.',
      );
    } else if (deviceCount === 0 && this.most > 0) {
      this.logger.log(`No update waits for a held row any more. At most ${this.most} devices waited at once.`);
    }
    this.most = deviceCount === 0 ? 0 : Math.max(this.most, deviceCount);
  }

  /** Forgets the noted count, so that the end of the service is not reported as the end of the wait. */
  reset(): void {
    this.most = 0;
  }
}
