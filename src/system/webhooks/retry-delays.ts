const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays before the attempts after the first, in milliseconds: together 24 hours. */
const DELAYS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  8 * HOUR + 17 * MINUTE + 25 * SECOND,
];

/** The time until the next attempt, in milliseconds, after this number of attempts; null when that was the last. */
export function retryDelayOf(attempts: number): number | null {
  return DELAYS[attempts - 1] ?? null;
}
