import {
  findPermission,
  Permission,
  PermissionEffect,
  PermissionPrincipalKind,
  PermissionScopeKind,
  type PermissionDefinition,
} from '../authorization/permission.js';

/** Names the principal that assignments speak of. */
export interface PrincipalReference {
  readonly principalKind: PermissionPrincipalKind;
  readonly principalId: string;
}

/** A principal that exists for a tenant, with what limits the assignments it may hold. */
export interface AssignmentPrincipal extends PrincipalReference {
  /** The tenant that it is bound to; null for server service accounts. */
  readonly tenantId: string | null;
  /** The user whose rights bound those of a personal access token; null for other kinds. */
  readonly ownerId: string | null;
  /** The only device that a logon token reaches; null for other kinds. */
  readonly deviceId: string | null;
}

/** Where an assignment reaches. */
export interface AssignmentScope {
  readonly scopeKind: PermissionScopeKind;
  /** Null at Server scope. */
  readonly scopeId: string | null;
}

/** What an assignment grants or refuses, and where. */
export interface AssignmentTerms extends AssignmentScope {
  readonly permissionName: string;
  readonly effect: PermissionEffect;
}

/** Terms with what may change without changing their meaning. */
export interface AssignmentValues extends AssignmentTerms {
  readonly isEnabled: boolean;
  readonly notes: string | null;
}

/** Which of the three permissions that govern assignments a caller holds: the tenant ones on the named tenant. */
export interface WriteRights {
  /** `server.permissions.write`. */
  readonly server: boolean;
  /** `tenant.permissions.write`. */
  readonly tenant: boolean;
  /** `tenant.permissions.deny`. */
  readonly deny: boolean;
}

/** A field of a request that makes no legal assignment, and why. */
export interface FieldProblem {
  readonly field: keyof AssignmentTerms;
  readonly message: string;
}

/** Whether two references name the same principal. */
export function isSamePrincipal(a: PrincipalReference, b: PrincipalReference): boolean {
  return a.principalKind === b.principalKind && a.principalId === b.principalId;
}

/** Whether a principal is a service account of the server, which no tenant owns. */
export function isServerAccount(principal: AssignmentPrincipal): boolean {
  return principal.principalKind === PermissionPrincipalKind.ServiceAccount && principal.tenantId === null;
}

/** The terms with the scope id that is stored: at Tenant scope it is the named tenant, whatever was sent. */
export function normalizeTerms<T extends AssignmentTerms>(terms: T, tenantId: string): T {
  return terms.scopeKind === PermissionScopeKind.Tenant ? { ...terms, scopeId: tenantId } : terms;
}

/**
 * What makes normalized terms illegal for a principal, whoever writes them; null when they are legal. Whether the scope
 * exists is not looked at.
 */
export function problemOf(terms: AssignmentTerms, principal: AssignmentPrincipal): FieldProblem | null {
  const permission = findPermission(terms.permissionName);
  if (permission === undefined) return { field: 'permissionName', message: 'permissionName is no permission of the catalog.' };
  if (!permission.scopeKinds.includes(terms.scopeKind)) {
    return { field: 'scopeKind', message: `scopeKind must be one of ${permission.scopeKinds.join(', ')} for ${permission.name}.` };
  }
  const isServer = terms.scopeKind === PermissionScopeKind.Server;
  if (isServer && terms.scopeId !== null) return { field: 'scopeId', message: 'scopeId must be null at Server scope.' };
  if (!isServer && terms.scopeId === null) return { field: 'scopeId', message: `scopeId is required at ${terms.scopeKind} scope.` };
  if (isServer && terms.effect === PermissionEffect.Allow && isLegalInTenant(permission) && !isServerAccount(principal)) {
    return { field: 'scopeKind', message: `Only server service accounts can be allowed ${permission.name} at Server scope.` };
  }
  const isOfToken = principal.principalKind === PermissionPrincipalKind.LogonToken;
  if (isOfToken && (terms.scopeKind !== PermissionScopeKind.Device || terms.scopeId !== principal.deviceId)) {
    return { field: 'scopeId', message: 'A logon token can only hold assignments on its own device.' };
  }
  return null;
}

/**
 * The permission that a writer of an assignment lacks; null when it may write it. Creating, changing and deleting are the
 * same: each acts on the stored row, the new one, or both. `principal` is null for one that is gone.
 */
export function missingRight(
  terms: Pick<AssignmentTerms, 'effect' | 'scopeKind'>,
  principal: AssignmentPrincipal | null,
  rights: WriteRights,
): PermissionDefinition | null {
  const needsServer = terms.scopeKind === PermissionScopeKind.Server || (principal !== null && isServerAccount(principal));
  if (needsServer && !rights.server) return Permission.ServerPermissionsWrite;
  if (terms.scopeKind !== PermissionScopeKind.Server && !rights.tenant) return Permission.TenantPermissionsWrite;
  if (terms.effect === PermissionEffect.Deny && !rights.deny) return Permission.TenantPermissionsDeny;
  return null;
}

/**
 * Whether those who work in a tenant can see a row: the tenant's own rows always; rows of the server with the right to
 * (`server.permissions.read` to read, `server.permissions.write` to change), when they are of a principal of the tenant.
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

/** Whether a row says the same as the terms: such a row may exist once (part of the key; enabled or not, notes are not). */
export function hasTerms(row: AssignmentTerms, terms: AssignmentTerms): boolean {
  return (
    row.permissionName === terms.permissionName &&
    row.effect === terms.effect &&
    row.scopeKind === terms.scopeKind &&
    row.scopeId === terms.scopeId
  );
}

function isLegalInTenant(permission: PermissionDefinition): boolean {
  return permission.scopeKinds.includes(PermissionScopeKind.Tenant);
}
