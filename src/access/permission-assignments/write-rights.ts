import { forbidden } from '../../platform/common/errors/errors.js';
import type { TenantContext } from '../authentication/principals/request-context.js';
import type { Rights } from '../authorization/evaluation/rights.js';
import type { Resource } from '../authorization/evaluation/rules.js';
import { Permission, PermissionEffect, PermissionScopeKind, type PermissionDefinition } from '../authorization/permissions/permission.js';
import { isServerAccount, type AssignmentPrincipal, type AssignmentTerms } from './assignment.js';

/** The permissions that govern assignments, as far as a caller holds them in the tenant that it names. */
export interface WriteRights {
  /** `server.permissions.write`. */
  readonly server: boolean;
  /** `tenant.permissions.write`. */
  readonly tenant: boolean;
  /** `tenant.permissions.deny`. */
  readonly deny: boolean;
}

/** The caller's rights. For a change, read them in its transaction. */
export async function writeRightsOf(rights: Rights, { principal, tenantId }: TenantContext): Promise<WriteRights> {
  const tenant: Resource = { kind: 'Tenant', tenantId };
  return {
    server: await rights.isAllowed(principal, Permission.ServerPermissionsWrite, { kind: 'Server' }),
    tenant: await rights.isAllowed(principal, Permission.TenantPermissionsWrite, tenant),
    deny: await rights.isAllowed(principal, Permission.TenantPermissionsDeny, tenant),
  };
}

/**
 * The permission that a caller lacks to write an assignment, or null. Creating and deleting need it for that assignment,
 * changing needs it for the assignment before and after the change. `principal` is null when it no longer exists.
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

/** 403 that names the missing permission, unless the caller may write the assignment. */
export function requireRight(
  terms: Pick<AssignmentTerms, 'effect' | 'scopeKind'>,
  principal: AssignmentPrincipal | null,
  rights: WriteRights,
): void {
  const missing = missingRight(terms, principal, rights);
  if (missing !== null) throw forbidden(`The permission ${missing.name} is required.`);
}
