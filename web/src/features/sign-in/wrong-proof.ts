import { problemOf, ProblemError } from '../../problem/problem.js';

/**
 * Rethrows the error of a sign-in, with the page's own sentence where a name, a password or a code is wrong. A lock-out, which says how long
 * to wait, is the service's to tell.
 */
export const saysIfWrong =
  (sentence: string) =>
  (error: unknown): never => {
    const { status, retryAfter } = problemOf(error);
    throw status === 401 && retryAfter === null ? new ProblemError(401, { detail: sentence }) : error;
  };
