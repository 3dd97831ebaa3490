const LONGEST_WAIT_SECONDS = 30;
/** Spreads the agents of a server that comes back: each adds 0 to so many seconds. */
export const DEFAULT_JITTER_SECONDS = 20;

/** Milliseconds to wait before connection attempt `attempt` (the first is 0): its square in seconds, at most 30, and jitter. */
export function reconnectDelay(attempt: number, jitterSeconds: number, random: () => number = Math.random): number {
  return (Math.min(attempt * attempt, LONGEST_WAIT_SECONDS) + random() * jitterSeconds) * 1000;
}
