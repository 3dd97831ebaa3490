const LONGEST_WAIT_SECONDS = 30;
/** Age from which the end of a connection is followed by the shortest wait. After a younger one, the wait grows. */
export const LASTING_CONNECTION_MS = 30_000;
/** Upper limit of the random wait, in seconds, that spreads the agents of a server that comes back. */
export const DEFAULT_JITTER_SECONDS = 20;

/**
 * Milliseconds to wait before an attempt to connect or to report, counted from 0: the square of the attempt in seconds, at most 30, plus jitter.
 * Connections that did not last count as attempts.
 */
export function reconnectDelay(attempt: number, jitterSeconds: number, random: () => number = Math.random): number {
  return (Math.min(attempt * attempt, LONGEST_WAIT_SECONDS) + random() * jitterSeconds) * 1000;
}
