import { type Missing, missingIn, placeOf } from '../problem/missing.js';
import type { Problem } from '../problem/problem.js';
import { permissionOf } from './generated/permissions.js';

/** Returns the permission that the caller of a refused operation lacks, or null if it was refused for another reason. */
export function missingPermission(problem: Problem, operation: string, named: Readonly<Record<string, unknown>>): Missing | null {
  const permission = missingIn(problem, permissionOf[operation] ?? null);
  return permission === null ? null : { permission, place: placeOf(permission, named) };
}
