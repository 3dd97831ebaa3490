const LONGEST_WAIT_SECONDS = 30;
/** Upper limit of the random wait, in seconds, that spreads the agents of a server that comes back. */
export const DEFAULT_JITTER_SECONDS = 20;

/** Milliseconds to wait before an attempt to connect or to report, counted from 0: the square of the attempt in seconds, at most 30, plus jitter. */
export function reconnectDelay(attempt: number, jitterSeconds: number, random: () => number = Math.random): number {
  return (Math.min(attempt * attempt, LONGEST_WAIT_SECONDS) + random() * jitterSeconds) * 1000;
}
