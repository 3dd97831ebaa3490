import type { Settings } from '../config/settings.js';

/** Times of a stop. Those in milliseconds follow one another. */
export abstract class DrainTimes {
  /** Time for which the process still serves after it has said that it is about to stop, so that balancers learn of it. */
  abstract readonly delayMs: number;
  /** Time over which hub connections are ended. */
  abstract readonly spreadMs: number;
  /** Hub connections that are ended in a second at least: few take less than `spreadMs`. */
  abstract readonly leastPerSecond: number;
  /** Time-out of transfers, from the end of the delay on. */
  abstract readonly transfersMs: number;
  /**
   * True if the process takes requests and says that it is not ready until its connections have ended. A balancer that cannot connect to a
   * node ends the connections that it has there.
   */
  abstract readonly listensOn: boolean;
}

/** Time-out of the running requests of a process that takes no more, in milliseconds. Container supervisors kill a process after 10 s. */
export const REQUESTS_MS = 7_000;
/** Time of a transfer that was cut off for its last answer, in milliseconds. */
const LAST_ANSWER_MS = 500;

/** Time of a stop after its connections have ended, in milliseconds: for mails, writes and the bundled database. */
const LAST_STEPS_MS = 30_000;

/** Longest time of a stop, in milliseconds. */
export const longestStopMs = ({ delayMs, spreadMs, transfersMs }: DrainTimes): number =>
  delayMs + Math.max(spreadMs, transfersMs) + LAST_STEPS_MS;

/** A single process has no successor that others could go to: it stops soon. */
export const ALONE: DrainTimes = {
  delayMs: 0,
  spreadMs: 2_000,
  leastPerSecond: 500,
  transfersMs: REQUESTS_MS - LAST_ANSWER_MS,
  listensOn: false,
};

/** Among several processes there is time: agents that have left are with the others, and few come to each at once. */
const LEAST_PER_SECOND_AMONG_SEVERAL = 50;

/** The times of a process. */
export function drainTimes(isAmongSeveral: boolean, { drainDelaySeconds, drainSeconds }: Settings['nodes']): DrainTimes {
  if (!isAmongSeveral) return ALONE;
  const spreadMs = drainSeconds * 1_000;
  return {
    delayMs: drainDelaySeconds * 1_000,
    spreadMs,
    leastPerSecond: LEAST_PER_SECOND_AMONG_SEVERAL,
    transfersMs: Math.max(ALONE.transfersMs, spreadMs),
    listensOn: true,
  };
}
