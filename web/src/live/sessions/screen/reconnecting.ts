/** Attempts in a row to bring a lost screen back. */
export const MOST_ATTEMPTS = 5;
/** The same for a device that was away: its desktop starts after its agent. */
export const MOST_AFTER_RETURN = 40;
/** The time between two attempts, in milliseconds. */
export const ATTEMPT_DELAY = 3000;
/** After a connection that lasted this long, in milliseconds, the attempts are counted from the start again. */
const GOOD_AFTER = 30_000;

/**
 * The number of the next attempt after `attempts` of at most `most`; null when there is none. `lasted` is the duration of the lost connection, in
 * milliseconds.
 */
export function nextAttempt(attempts: number, lasted: number, most = MOST_ATTEMPTS): number | null {
  const number = lasted >= GOOD_AFTER ? 1 : attempts + 1;
  return number > most ? null : number;
}
