import type { Assignment, CatalogEntry } from '../../../api/access/permission-assignments.js';
import type { Effect, Scope } from '../../../model/permissions/scopes.js';

/* Assignments and catalogue that the specs of the matrix use. */

export const TENANT: Scope = { kind: 'Tenant', id: 't' };
export const CUSTOMER: Scope = { kind: 'CustomerTenant', id: 'c' };
export const SERVER: Scope = { kind: 'Server', id: null };

let last = 0;

/** An assignment of a user; with `groupId` of a group. */
export function assignment(
  permissionName: string,
  scope: Scope,
  effect: Effect,
  { isEnabled = true, notes = null, groupId }: { isEnabled?: boolean; notes?: string | null; groupId?: string } = {},
): Assignment {
  last += 1;
  return {
    id: `${last}`,
    principalKind: groupId === undefined ? 'User' : 'UserGroup',
    principalId: groupId ?? 'u',
    permissionName,
    effect,
    scopeKind: scope.kind,
    scopeId: scope.id,
    notes,
    isEnabled,
    createdAt: '2026-01-01T00:00:00Z',
  };
}

/** A permission of the catalogue. */
export const entry = (name: string, allowedScopeKinds: string[], more: Partial<CatalogEntry> = {}): CatalogEntry => ({
  name,
  displayName: name,
  categoryLabel: name.split('.')[0],
  description: '',
  allowedScopeKinds,
  selfRemovable: true,
  ...more,
});
