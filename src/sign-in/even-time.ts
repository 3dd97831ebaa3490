import { setTimeout as delay } from 'node:timers/promises';

/**
 * Refusals of a sign-in are answered after a multiple of this many milliseconds. What is written about the failure of a known user takes
 * some milliseconds, which would tell that there is one.
 */
const STEP_MS = 250;

/** Waits from an attempt's begin (`performance.now()`) to the next moment at which a refusal may be answered. */
export async function evenTime(begun: number): Promise<void> {
  await delay(STEP_MS - ((performance.now() - begun) % STEP_MS));
}
