import { DomainError, ErrorCode } from '../../platform/common/errors/errors.js';

/** Longest time from the reading of a call to the writing of it to its agent's connection, in milliseconds, over all nodes that it passes. */
export const LONGEST_WAY_MS = 5_000;

/**
 * Age at which a call to an agent is not begun any more, in milliseconds: nobody expects its effect by then. The rest of the way is for the
 * writing: a process that stands still in it ends the agent's connection rather than write the call late.
 */
export const MAXIMUM_AGE_MS = LONGEST_WAY_MS - 500;

/** The reason of a call that was not begun, because it waited at the server for too long. */
export const CALL_TOO_LATE = 'The server could not pass this on in time. Try again.';

/** 503: the call has waited at the server for too long, and was not begun. */
export class CallTooLate extends DomainError {
  constructor() {
    super(ErrorCode.Unavailable, CALL_TOO_LATE, undefined, { 'Retry-After': '1' });
  }
}

/** True if a call of that time is too old to be begun. The time is one of the monotonic clock, in milliseconds. */
export const isTooOld = (madeAt: number): boolean => performance.now() - madeAt > MAXIMUM_AGE_MS;

/** @throws CallTooLate for a call of that time that is too old to be begun. One without a time is not. */
export function requireInTime(madeAt: number | undefined): void {
  if (madeAt !== undefined && isTooOld(madeAt)) throw new CallTooLate();
}
