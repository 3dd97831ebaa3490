import { setTimeout as delay } from 'node:timers/promises';

import { isDatabaseOutage } from '../../../platform/common/errors/database-outage.js';

/** Pause between two tries, in milliseconds. */
const PAUSE_MS = 500;
/** Time after which an outage is passed on, in milliseconds. */
const LONGEST_OUTAGE_MS = 300_000;

/**
 * Does a piece of work that needs the database, again and again while that is away, as long as it is wanted. What waits for it waits, too.
 * @throws the error of the database once it is not wanted any more, or after five minutes
 */
export async function throughOutage<T>(work: () => Promise<T>, isWanted: () => boolean): Promise<T> {
  const begun = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseOutage(error) || !isWanted() || performance.now() - begun > LONGEST_OUTAGE_MS) throw error;
    }
    await delay(PAUSE_MS, undefined, { ref: false });
  }
}
