/** Attempts in a row to bring a lost screen back. */
export const MOST_ATTEMPTS = 5;
/** The time between two attempts, in milliseconds. */
export const ATTEMPT_DELAY = 3000;
/** A connection that lasted as long as this, in milliseconds, was good: counting begins anew. */
const GOOD_AFTER = 30_000;

/** The number of the next attempt after `attempts` of them; null when there is none. `lasted` is how long the lost connection was there. */
export function nextAttempt(attempts: number, lasted: number): number | null {
  const number = lasted >= GOOD_AFTER ? 1 : attempts + 1;
  return number > MOST_ATTEMPTS ? null : number;
}
