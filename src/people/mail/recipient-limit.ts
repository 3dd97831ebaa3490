import { Injectable, Logger } from '@nestjs/common';

import { CountedWindows } from '../../platform/common/collections/counted-windows.js';
import { Clock } from '../../platform/common/runtime/clock.js';

/** Most mails of one kind to one address within an hour. */
export const MAXIMUM_MAILS_AN_HOUR = 10;

const HOUR_MS = 60 * 60_000;

/**
 * Limits the mails to one address, from all causes together: visitors can have mails sent to any address. Each kind of mail is counted
 * by itself, so that a flood of one kind keeps no notice of another kind from its reader.
 */
@Injectable()
export class RecipientLimit {
  private readonly logger = new Logger('Mail');
  private readonly windows: CountedWindows;

  constructor(clock: Clock) {
    this.windows = new CountedWindows(clock);
  }

  /** Counts a mail; false when it is one too many. */
  takes(kind: string, address: string): boolean {
    const { count } = this.windows.count(`${kind} ${address.toLowerCase()}`, HOUR_MS);
    // One line for all that follow: a flood must not fill the log.
    if (count === MAXIMUM_MAILS_AN_HOUR + 1) {
      this.logger.warn({ message: 'Further mails of this kind are left out for up to an hour.', kind, to: address });
    }
    return count <= MAXIMUM_MAILS_AN_HOUR;
  }
}
