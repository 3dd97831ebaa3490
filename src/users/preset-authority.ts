import { presetScopeOf, type PermissionPreset } from '../authorization/permission-presets.js';
import { Permission, PermissionScopeKind, type PermissionDefinition } from '../authorization/permission.js';
import type { WriteRights } from '../permission-assignments/write-rights.js';

/**
 * The permission that somebody who makes a user lacks to give it a preset; null when it may. Rows at the server need the
 * right to write those; rows in a tenant need the right of the tenant or of the server, and so does the right to deny.
 */
export function missingPresetRight(preset: PermissionPreset, rights: WriteRights): PermissionDefinition | null {
  if (rights.server) return null;
  if (preset.permissions.some((permission) => presetScopeOf(permission) === PermissionScopeKind.Server)) {
    return Permission.ServerPermissionsWrite;
  }
  if (!rights.tenant) return Permission.TenantPermissionsWrite;
  const handsOutDeny = preset.permissions.some(({ name }) => name === Permission.TenantPermissionsDeny.name);
  return handsOutDeny && !rights.deny ? Permission.TenantPermissionsDeny : null;
}
