import { ProblemError } from './problem.js';

/** Errors by field, with the names as the forms use them: the first letter small, as in the request. */
export function fieldErrors(error: unknown): Record<string, string[]> {
  if (!(error instanceof ProblemError) || error.problem.errors === undefined) return {};
  return Object.fromEntries(
    Object.entries(error.problem.errors).map(([field, sentences]) => [field.charAt(0).toLowerCase() + field.slice(1), [...sentences]]),
  );
}
