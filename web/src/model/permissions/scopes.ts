import type { Schemas } from '../schemas.js';

/*
 * Parts of the matrix: permissions down, scopes across. A cell is one permission at one scope.
 */

type Assignment = Schemas['PermissionAssignmentDto'];
type CatalogEntry = Schemas['PermissionCatalogEntryDto'];
export type Effect = Schemas['PermissionEffect'];
export type ScopeKind = Schemas['PermissionScopeKind'];

/** Scope of an assignment. The id is null at the server. */
export interface Scope {
  readonly kind: ScopeKind;
  readonly id: string | null;
}

export interface Cell {
  readonly permission: string;
  readonly scope: Scope;
}

/** Broad scopes stand before narrow ones. */
const ORDER: readonly ScopeKind[] = ['Server', 'Tenant', 'CustomerTenant', 'DeviceGroup', 'Device', 'UserGroup'];

export const scopeKey = ({ kind, id }: Scope): string => `${kind}:${id ?? ''}`;
export const cellKey = ({ permission, scope }: Cell): string => `${permission}@${scopeKey(scope)}`;

export const scopeOf = ({ scopeKind, scopeId }: Pick<Assignment, 'scopeKind' | 'scopeId'>): Scope => ({ kind: scopeKind, id: scopeId });
export const cellOf = (assignment: Assignment): Cell => ({ permission: assignment.permissionName, scope: scopeOf(assignment) });

/** Every scope once, the broadest first; those of one kind stay in their order. */
export function columnsOf(scopes: readonly Scope[]): readonly Scope[] {
  const distinct = new Map(scopes.map((scope) => [scopeKey(scope), scope]));
  return [...distinct.values()].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

/**
 * True if a permission can be assigned at a scope. A principal of a tenant holds only those server-wide that cannot be assigned within a
 * tenant: an Allow of another one would count for nothing.
 */
export function isLegal({ allowedScopeKinds }: Pick<CatalogEntry, 'allowedScopeKinds'>, kind: ScopeKind, isOfServer: boolean): boolean {
  const kinds = allowedScopeKinds ?? [];
  return kinds.includes(kind) && (kind !== 'Server' || isOfServer || kinds.length === 1);
}

/** Default scope of a permission: the tenant, or the server if it can be assigned only there. */
export const usualScope = ({ allowedScopeKinds }: Pick<CatalogEntry, 'allowedScopeKinds'>, tenantId: string): Scope =>
  (allowedScopeKinds ?? []).includes('Tenant') ? { kind: 'Tenant', id: tenantId } : { kind: 'Server', id: null };

/**
 * True if an assignment at one scope holds at another one as well, as far as scopes tell by themselves. The devices of a customer or a
 * group are not known here.
 */
export function reaches(broad: Scope, narrow: Scope): boolean {
  if (broad.kind === 'Server') return true;
  return broad.kind === 'Tenant' ? narrow.kind !== 'Server' : scopeKey(broad) === scopeKey(narrow);
}
