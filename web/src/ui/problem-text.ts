import { isAboutScript, type ProblemError } from '../problem/problem.js';
import { t } from './texts.js';

/** A problem as a sentence for people. The service's own words are used where it has some. */
export function describeProblem({ status, problem, missingPermission }: ProblemError): string {
  const said = problem.detail ?? firstFieldError(problem.errors) ?? problem.title;
  if (status === 0) return t(isAboutScript(problem.title) ? 'problem-part' : 'problem-network');
  if (said === undefined && missingPermission !== null) return t('problem-missing', { permission: missingPermission });
  if (status >= 500) return said ?? t('problem-server');
  return said ?? t('problem-status', { status });
}

const firstFieldError = (errors: Readonly<Record<string, readonly string[]>> | undefined): string | undefined =>
  errors === undefined ? undefined : Object.values(errors)[0]?.[0];
