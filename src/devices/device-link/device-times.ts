import { Injectable } from '@nestjs/common';

/** Time-outs of waiting for devices, in milliseconds. */
@Injectable()
export class DeviceTimes {
  /** For the answer to a call, or for a requested stream to open. */
  readonly answerMs: number = 30_000;
  /** For the first byte of a download. The device may have to pack an archive first. */
  readonly preparationMs: number = 5 * 60_000;
  /** For the next piece of a running transfer, in either direction. A transfer as a whole has no limit. */
  readonly idleMs: number = 60_000;
}
