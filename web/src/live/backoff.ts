const SECOND = 1000;
const FIRST_DELAY = SECOND;
const LONGEST_DELAY = 30 * SECOND;
/** Attempts spread by this share, so that the pages of a company do not all come back at once. */
const SPREAD = 0.3;

/** The time until the next attempt to connect, in milliseconds, after `attempt` others: twice as long each time. `chance` is from 0 to 1. */
export const delayOf = (attempt: number, chance = Math.random()): number =>
  Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** attempt) * (1 - SPREAD + 2 * SPREAD * chance);
