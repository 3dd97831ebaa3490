import { type Scope, scopeKey, scopeOf } from '../../model/permissions/scopes.js';
import type { Assignment, CatalogEntry } from '../../api/access/permission-assignments.js';
import type { Verdict } from '../../api/access/effective-permissions.js';

/** Role of an assignment in a verdict. */
export type Role = 'decides' | 'agrees' | 'perhaps' | 'outvoted' | 'other-scope' | 'never-counts' | 'disabled';

/** Those that matter stand first. */
const ORDER: readonly Role[] = ['decides', 'agrees', 'perhaps', 'outvoted', 'other-scope', 'never-counts', 'disabled'];

/** Scope of the question. */
export interface Asked {
  readonly scope: Scope;
  /** Of a device: its customer, null where it has none; undefined where that is not known. */
  readonly customerId?: string | null;
}

/** True if an assignment at a scope counts for the question; null if that is not known. The groups of a device never are. */
function counts(assigned: Scope, { scope, customerId }: Asked): boolean | null {
  if (assigned.kind === 'Server') return true;
  if (assigned.kind === 'Tenant') return scope.kind !== 'Server';
  if (scope.kind === 'Device' && assigned.kind === 'DeviceGroup') return null;
  if (scope.kind === 'Device' && assigned.kind === 'CustomerTenant') return customerId === undefined ? null : customerId === assigned.id;
  return scopeKey(assigned) === scopeKey(scope);
}

/**
 * Returns the role of an assignment in the verdict. Only to inform: the verdict is the service's, and for an assignment that may or may not
 * count, the verdict tells most of it.
 */
export function roleOf(
  assignment: Assignment,
  { allowedScopeKinds }: Pick<CatalogEntry, 'allowedScopeKinds'>,
  asked: Asked,
  verdict: Verdict,
): Role {
  const kinds = allowedScopeKinds ?? [];
  const { id, effect, isEnabled, scopeKind } = assignment;
  const deciding = verdict.decidingAssignment;
  if (!isEnabled) return 'disabled';
  if (id === deciding?.assignmentId) return 'decides';
  const isAllow = effect === 'Allow';
  // People and accounts of a tenant hold only those permissions server-wide that cannot be held within a tenant.
  if (isAllow && (!kinds.includes(scopeKind) || (scopeKind === 'Server' && kinds.includes('Tenant')))) return 'never-counts';
  const isCounting = counts(scopeOf(assignment), asked);
  if (isCounting === false) return 'other-scope';
  if (isAllow === verdict.isAllowed) return isCounting === null ? 'perhaps' : 'agrees';
  // Nothing is outvoted where something is allowed, or where nothing is denied.
  return verdict.isAllowed || (isCounting === null && deciding === null) ? 'other-scope' : 'outvoted';
}

/** Assignments with their roles, those that matter first. */
export const byRole = <T extends { readonly role: Role }>(rows: readonly T[]): readonly T[] =>
  [...rows].sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role));
