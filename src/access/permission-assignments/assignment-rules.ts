import { conflict, invalidField } from '../../platform/common/errors/errors.js';
import type { Resource, RuleSet } from '../authorization/evaluation/rules.js';
import { findPermission, PermissionEffect, PermissionPrincipalKind, PermissionScopeKind } from '../authorization/permissions/permission.js';
import {
  isSamePrincipal,
  isServerAccount,
  termsKey,
  type AssignmentChanges,
  type AssignmentPrincipal,
  type AssignmentTerms,
  type AssignmentValues,
  type PrincipalReference,
} from './assignment.js';

/** A field of a request that makes the assignment illegal, with the reason. */
export interface FieldProblem {
  readonly field: keyof AssignmentTerms;
  readonly message: string;
}

/** The path of a field in the request, as the `errors` of an answer name it: `scopeId`, or `assignments[3].scopeId`. */
export type PathOf = (field: string) => string;

/**
 * Values that their principal may hold, with the scope id that is stored. The existence of the scope is not checked yet; `pathOf` names the
 * field when it does not.
 */
export interface LegalAssignment {
  readonly values: AssignmentValues;
  readonly pathOf: PathOf;
}

/** The terms with the scope id that is stored: at Tenant scope null means the named tenant. */
export function normalizeTerms<T extends AssignmentTerms>(terms: T, tenantId: string): T {
  return terms.scopeKind === PermissionScopeKind.Tenant ? { ...terms, scopeId: terms.scopeId ?? tenantId } : terms;
}

/** The values after a change. The stored scope id is kept only with its scope kind, because it means nothing without it. */
export function changedValues(row: AssignmentValues, changes: AssignmentChanges): AssignmentValues {
  const { scopeId = changes.scopeKind === row.scopeKind ? row.scopeId : null, notes = row.notes } = changes;
  const { permissionName, effect, scopeKind, isEnabled } = changes;
  return { permissionName, effect, scopeKind, scopeId, isEnabled, notes };
}

/**
 * Returns the reason why a principal cannot hold an assignment with these normalized terms in the named tenant; null when it can. Does not
 * check that the scope exists.
 */
export function problemOf(terms: AssignmentTerms, principal: AssignmentPrincipal, tenantId: string): FieldProblem | null {
  const permission = findPermission(terms.permissionName);
  if (permission === undefined) return { field: 'permissionName', message: 'permissionName is no permission of the catalog.' };
  if (!permission.scopeKinds.includes(terms.scopeKind)) {
    return { field: 'scopeKind', message: `scopeKind must be one of ${permission.scopeKinds.join(', ')} for ${permission.name}.` };
  }
  const isServer = terms.scopeKind === PermissionScopeKind.Server;
  if (isServer && terms.scopeId !== null) return { field: 'scopeId', message: 'scopeId must be null at Server scope.' };
  if (!isServer && terms.scopeId === null) return { field: 'scopeId', message: `scopeId is required at ${terms.scopeKind} scope.` };
  if (terms.scopeKind === PermissionScopeKind.Tenant && terms.scopeId !== tenantId) {
    return { field: 'scopeId', message: 'scopeId must be the id of the tenant that the request names, or null, at Tenant scope.' };
  }
  const isTenantPermission = permission.scopeKinds.includes(PermissionScopeKind.Tenant);
  if (isServer && terms.effect === PermissionEffect.Allow && isTenantPermission && !isServerAccount(principal)) {
    return { field: 'scopeKind', message: `Only server service accounts can be allowed ${permission.name} at Server scope.` };
  }
  const isOfToken = principal.principalKind === PermissionPrincipalKind.LogonToken;
  if (isOfToken && (terms.scopeKind !== PermissionScopeKind.Device || terms.scopeId !== principal.deviceId)) {
    return { field: 'scopeId', message: 'A logon token can only hold assignments on its own device.' };
  }
  return null;
}

/** The legal assignment that a request asks for; 400 at the field that makes it illegal. */
export function requireLegal(
  requested: AssignmentValues,
  principal: AssignmentPrincipal,
  tenantId: string,
  pathOf: PathOf,
): LegalAssignment {
  const values = normalizeTerms(requested, tenantId);
  const problem = problemOf(values, principal, tenantId);
  if (problem !== null) throw invalidField(pathOf(problem.field), problem.message);
  return { values, pathOf };
}

/** 409 when two of the assignments have the same terms. */
export function requireDistinct(assignments: readonly LegalAssignment[]): void {
  const keys = new Set(assignments.map(({ values }) => termsKey(values)));
  if (keys.size < assignments.length) throw conflict('The request contains the same assignment twice.');
}

/** 400 at the first of the references, each with the path of its id, that names another principal. */
export function requireOnePrincipal(
  principal: PrincipalReference,
  references: readonly PrincipalReference[],
  pathsOf: (index: number) => PathOf,
): void {
  const other = references.findIndex((reference) => !isSamePrincipal(reference, principal));
  if (other === -1) return;
  throw invalidField(pathsOf(other)('principalId'), 'All assignments of one request must belong to the same principal.');
}

/**
 * Checks whether an Allow of a personal access token grants what its owner does not hold there. A scope that is gone (null) is not held.
 */
export function exceedsOwner(owner: RuleSet, terms: AssignmentTerms, scope: Resource | null): boolean {
  if (terms.effect !== PermissionEffect.Allow) return false;
  const permission = findPermission(terms.permissionName);
  return permission === undefined || scope === null || !owner.decide(permission, scope).allowed;
}

/**
 * Checks whether callers in a tenant see an assignment. They see those that belong to the tenant. Those at Server scope are seen only for
 * principals of the tenant and with a right to them: `server.permissions.read` to read, `server.permissions.write` to change.
 */
export function isVisible(
  row: { readonly owningTenantId: string | null },
  tenantId: string,
  principal: AssignmentPrincipal | null,
  seesServerRows: boolean,
): boolean {
  if (row.owningTenantId !== null) return row.owningTenantId === tenantId;
  return seesServerRows && principal !== null;
}
