import { presetScopeOf, type PermissionPreset } from '../authorization/permissions/permission-presets.js';
import { PermissionEffect } from '../authorization/permissions/permission.js';
import { normalizeTerms } from './assignment-rules.js';
import { hasTerms, type AssignmentValues } from './assignment.js';

/** The changes after which a principal holds everything that presets grant. */
export interface GrantPlan<Row> {
  /** Disabled assignments that only need to be enabled. */
  readonly enable: readonly Row[];
  /** Assignments that the principal does not have. */
  readonly add: readonly AssignmentValues[];
}

/** The assignments that presets grant in a tenant: one Allow per permission, at the broadest scope inside the tenant, or at the server. */
export function grantsOf(presets: readonly PermissionPreset[], tenantId: string): AssignmentValues[] {
  const permissions = new Set(presets.flatMap((preset) => preset.permissions));
  return [...permissions].map((permission) => {
    const terms = { permissionName: permission.name, effect: PermissionEffect.Allow, scopeKind: presetScopeOf(permission), scopeId: null };
    return normalizeTerms({ ...terms, isEnabled: true, notes: null }, tenantId);
  });
}

/** Compares the assignments of a principal with those to be granted. Other assignments, including a Deny, do not matter. */
export function planGrants<Row extends AssignmentValues>(present: readonly Row[], grants: readonly AssignmentValues[]): GrantPlan<Row> {
  return {
    enable: present.filter((row) => !row.isEnabled && grants.some((grant) => hasTerms(row, grant))),
    add: grants.filter((grant) => !present.some((row) => hasTerms(row, grant))),
  };
}
