import type { Logger } from '@nestjs/common';

import { UpdateRefusal } from '../update-acceptance.js';

/** Time within which a device with a wrong clock is not named again. */
const WINDOW_MS = 10 * 60_000;
/** Most devices that are named within a window. If there are more, it is the clock of the server that is wrong. */
const MAXIMUM_DEVICES = 100;

/** Tells the operator of devices whose updates are refused for their time: each once in a window, with the error of its clock. */
export class WrongClockNotice {
  private readonly named = new Set<string>();
  private windowEnds = 0;

  constructor(private readonly logger: Logger) {}

  /** Notes a refusal. `clockOffset` is the lead of the device's clock, `now` the server's time; both in milliseconds. */
  note(deviceId: string, clockOffset: number, now: number): void {
    if (now >= this.windowEnds) {
      this.named.clear();
      this.windowEnds = now + WINDOW_MS;
    }
    if (this.named.has(deviceId) || this.named.size > MAXIMUM_DEVICES) return;
    this.named.add(deviceId);
    if (this.named.size > MAXIMUM_DEVICES) {
      this.logger.warn(`Updates of more than ${MAXIMUM_DEVICES} devices were refused for their time. Check the clock of this server.`);
      return;
    }
    const seconds = Math.round(Math.abs(clockOffset) / 1000);
    this.logger.warn({
      message: `${UpdateRefusal.Stale} The clock of the device is ${seconds} s ${clockOffset > 0 ? 'ahead of' : 'behind'} that of this server.`,
      deviceId,
    });
  }
}
