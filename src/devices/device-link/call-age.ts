/** Age at which a call to an agent is not begun any more, in milliseconds: nobody expects its effect by then. */
export const MAXIMUM_AGE_MS = 5_000;

/** The reason of a call that was not begun, because it waited at the server for too long. */
export const CALL_TOO_LATE = 'The server could not pass this on in time. Try again.';

/** True if a call of that time is too old to be begun. The time is one of the monotonic clock, in milliseconds. */
export const isTooOld = (madeAt: number): boolean => performance.now() - madeAt > MAXIMUM_AGE_MS;
