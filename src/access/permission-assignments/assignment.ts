import { PermissionPrincipalKind, PermissionScopeKind, type PermissionEffect } from '../authorization/permissions/permission.js';

/** Every kind of principal, in the order in which their rows are locked. */
export const PRINCIPAL_KINDS = Object.values(PermissionPrincipalKind);

/** Kinds of things inside a tenant to which an assignment can be scoped, in the order in which rows are locked. */
export const SCOPE_TARGET_KINDS = ['CustomerTenant', 'DeviceGroup', 'Device', 'UserGroup'] as const;
export type ScopeTargetKind = (typeof SCOPE_TARGET_KINDS)[number];

/** Names the principal that holds an assignment. */
export interface PrincipalReference {
  readonly principalKind: PermissionPrincipalKind;
  readonly principalId: string;
}

/** A principal that exists for a tenant, with the limits on the assignments that it may hold. */
export interface AssignmentPrincipal extends PrincipalReference {
  /** The tenant that it is bound to; null for server service accounts. */
  readonly tenantId: string | null;
  /** The user whose rights limit those of a personal access token; null for other kinds. */
  readonly ownerId: string | null;
  /** The only device that a logon token reaches; null for other kinds. */
  readonly deviceId: string | null;
}

/** The scope at which an assignment applies. */
export interface AssignmentScope {
  readonly scopeKind: PermissionScopeKind;
  /** Null at Server scope. */
  readonly scopeId: string | null;
}

/** The effect, permission and scope of an assignment. A principal has an assignment with the same terms only once. */
export interface AssignmentTerms extends AssignmentScope {
  readonly permissionName: string;
  readonly effect: PermissionEffect;
}

/** The terms of an assignment with its other values, which do not identify it. */
export interface AssignmentValues extends AssignmentTerms {
  readonly isEnabled: boolean;
  readonly notes: string | null;
}

/** New values of an assignment; a value that is left out stays as it is. */
export type AssignmentChanges = Omit<AssignmentValues, 'scopeId' | 'notes'> & Partial<Pick<AssignmentValues, 'scopeId' | 'notes'>>;

/** An assignment as a request asks for it. */
export type RequestedAssignment = PrincipalReference & AssignmentValues;

/** Checks whether two references name the same principal. */
export function isSamePrincipal(a: PrincipalReference, b: PrincipalReference): boolean {
  return a.principalKind === b.principalKind && a.principalId === b.principalId;
}

/** Checks whether the principal is a service account of the server, which belongs to no tenant. */
export function isServerAccount(principal: AssignmentPrincipal): boolean {
  return principal.principalKind === PermissionPrincipalKind.ServiceAccount && principal.tenantId === null;
}

/** Checks whether two assignments of one principal have the same terms. */
export function hasTerms(row: AssignmentTerms, terms: AssignmentTerms): boolean {
  return termsKey(row) === termsKey(terms);
}

/** Checks whether two assignments of one principal are equal in every value. */
export function hasValues(row: AssignmentValues, values: AssignmentValues): boolean {
  return hasTerms(row, values) && row.isEnabled === values.isEnabled && row.notes === values.notes;
}

/** The tenant that an assignment belongs to when it is written in `tenantId`; null at Server scope. */
export function owningTenantOf({ scopeKind }: AssignmentScope, tenantId: string): string | null {
  return scopeKind === PermissionScopeKind.Server ? null : tenantId;
}

/** A principal as a key of maps and locks. */
export function principalKey({ principalKind, principalId }: PrincipalReference): string {
  return `${principalKind}:${principalId}`;
}

/** A scope as a key of maps. */
export function scopeKey({ scopeKind, scopeId }: AssignmentScope): string {
  return `${scopeKind}:${scopeId ?? ''}`;
}

/** The terms as a key of sets. */
export function termsKey(terms: AssignmentTerms): string {
  return `${terms.permissionName} ${terms.effect} ${scopeKey(terms)}`;
}
