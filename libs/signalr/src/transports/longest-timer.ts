/** The longest time of a timer in milliseconds, 24 days. Node.js takes longer ones, and Infinity, for a millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time of a timer for a limit that may be of any length. */
export function timerMs(limitMs: number): number {
  return Math.min(limitMs, LONGEST_TIMER_MS);
}
