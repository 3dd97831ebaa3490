import { presetScopeOf, type PermissionPreset } from '../authorization/permission-presets.js';
import { PermissionEffect } from '../authorization/permission.js';
import { normalizeTerms } from './assignment-rules.js';
import { hasTerms, type AssignmentValues } from './assignment.js';

/** What is left to do so that a principal holds all that presets grant. */
export interface GrantPlan<Row> {
  /** Disabled assignments that only need to be enabled. */
  readonly enable: readonly Row[];
  /** Assignments that the principal does not have. */
  readonly add: readonly AssignmentValues[];
}

/** The assignments that presets grant in a tenant: an Allow of each permission once, at the broadest scope inside the tenant, or at the server. */
export function grantsOf(presets: readonly PermissionPreset[], tenantId: string): AssignmentValues[] {
  const permissions = new Set(presets.flatMap((preset) => preset.permissions));
  return [...permissions].map((permission) => {
    const terms = { permissionName: permission.name, effect: PermissionEffect.Allow, scopeKind: presetScopeOf(permission), scopeId: null };
    return normalizeTerms({ ...terms, isEnabled: true, notes: null }, tenantId);
  });
}

/** Compares what a principal has with what it is to be granted. Its other assignments, a Deny among them, play no part. */
export function planGrants<Row extends AssignmentValues>(present: readonly Row[], grants: readonly AssignmentValues[]): GrantPlan<Row> {
  return {
    enable: present.filter((row) => !row.isEnabled && grants.some((grant) => hasTerms(row, grant))),
    add: grants.filter((grant) => !present.some((row) => hasTerms(row, grant))),
  };
}
