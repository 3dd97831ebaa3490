import { loadedPermissionName } from '../i18n/loaded-permission-names.js';
import { withPermissionNames } from '../problem/missing.js';
import { isAboutScript, type ProblemError } from '../problem/problem.js';
import { t } from './texts.js';

/** Beginning of the hub's answers that only say that something failed; the contract fixes them. */
const HUB_FAILURE = 'An error occurred';

/** A problem as a sentence for people. The service's own words are used where it has some. */
export function describeProblem({ status, problem, missingPermission }: ProblemError): string {
  const said = problem.detail ?? firstFieldError(problem.errors) ?? problem.title;
  if (status === 0) return t(isAboutScript(problem.title) ? 'problem-part' : 'problem-network');
  if (status === 409 && said?.startsWith(HUB_FAILURE) === true) return t('problem-agent');
  if (missingPermission !== null) return describeMissing(missingPermission, problem.detail);
  if (said === undefined) return status >= 500 ? t('problem-server') : t('problem-status', { status });
  return withPermissionNames(said, shownName);
}

/** The display name of a permission in quotes. Other words with dots between them stay as they are. */
function shownName(name: string): string {
  const shown = loadedPermissionName(name);
  return shown === name ? name : `“${shown}”`;
}

/** A refusal whose caller lacks a permission, with the display name of it. What the service said is left out if it only names the permission. */
function describeMissing(permission: string, said: string | undefined): string {
  const missing = t('problem-missing', { permission: loadedPermissionName(permission) });
  if (said === undefined || said === `The permission ${permission} is required.`) return missing;
  return said.includes(permission) ? withPermissionNames(said, shownName) : `${said} ${missing}`;
}

const firstFieldError = (errors: Readonly<Record<string, readonly string[]>> | undefined): string | undefined =>
  errors === undefined ? undefined : Object.values(errors)[0]?.[0];
