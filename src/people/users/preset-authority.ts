import { presetScopeOf, SELF_SERVICE, type PermissionPreset } from '../../access/authorization/permissions/permission-presets.js';
import { Permission, PermissionScopeKind, type PermissionDefinition } from '../../access/authorization/permissions/permission.js';
import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import type { Rights } from '../../access/authorization/evaluation/rights.js';
import { writeRightsOf, type WriteRights } from '../../access/permission-assignments/write-rights.js';
import { forbidden } from '../../platform/common/errors/errors.js';

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

/** 403 that names the missing permission, unless the caller may give a new user of the named tenant each of the presets. */
export async function requirePresetRights(rights: Rights, context: TenantContext, presets: readonly PermissionPreset[]): Promise<void> {
  const held = await writeRightsOf(rights, context);
  for (const preset of presets) {
    // Every user gets this preset.
    if (preset === SELF_SERVICE) continue;
    const missing = missingPresetRight(preset, held);
    if (missing !== null) throw forbidden(`Creating a user with the preset ${preset.name} requires ${missing.name}.`);
  }
}
