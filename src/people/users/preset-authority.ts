import { presetScopeOf, type PermissionPreset } from '../../access/authorization/permissions/permission-presets.js';
import { Permission, PermissionScopeKind, type PermissionDefinition } from '../../access/authorization/permissions/permission.js';
import type { WriteRights } from '../../access/permission-assignments/write-rights.js';

/**
 * The permission that a caller lacks to give a new user a preset; null when none is missing. Assignments at the server
 * need the server permission to write them. Assignments in a tenant need that of the tenant or of the server. The
 * preset with the permission to deny also needs that permission.
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
