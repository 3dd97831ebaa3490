import { Injectable } from '@nestjs/common';

/** How long the service waits for devices, in milliseconds. */
@Injectable()
export class DeviceTimes {
  /** For the answer to a call, or for a stream that was asked for to open. */
  readonly answerMs: number = 30_000;
  /** For the first byte of a download: the device may have to pack an archive first. */
  readonly preparationMs: number = 5 * 60_000;
  /** For the next piece of a transfer that runs, from whichever side it is awaited. A transfer as a whole has no limit. */
  readonly idleMs: number = 60_000;
}
