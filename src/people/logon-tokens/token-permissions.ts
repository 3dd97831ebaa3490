import {
  findPermission,
  Permission,
  PermissionScopeKind,
  type PermissionDefinition,
} from '../../access/authorization/permissions/permission.js';
import { invalidField } from '../../platform/common/errors/errors.js';

/** The permissions of a token whose creator names none. */
const DEFAULT_PERMISSIONS: readonly PermissionDefinition[] = [Permission.DeviceRead, Permission.DeviceOverviewRead];

/** The permissions of a new logon token. */
export interface TokenPermissions {
  /** The permissions that the creator named. The creator must hold each of them on the device. */
  readonly named: readonly PermissionDefinition[];
  /** The permissions that the token gets by default. It carries those that the creator holds. */
  readonly added: readonly PermissionDefinition[];
}

/**
 * The permissions of a token; null or an empty list selects the default. Every token gets `device.read`, because the
 * page of a device does not work without it. 400 for a name that is not a permission on devices.
 */
export function tokenPermissions(names: readonly string[] | null): TokenPermissions {
  if (names === null || names.length === 0) return { named: [], added: DEFAULT_PERMISSIONS };
  const named = [...new Set(names)].map((name) => {
    const permission = devicePermission(name);
    if (permission !== undefined) return permission;
    throw invalidField('permissions', `permissions must contain names of device permissions: ${JSON.stringify(name)} is not one.`);
  });
  return { named, added: named.includes(Permission.DeviceRead) ? [] : [Permission.DeviceRead] };
}

/** The permission of that name, if a token can carry it. */
export function devicePermission(name: string): PermissionDefinition | undefined {
  const permission = findPermission(name);
  return permission?.scopeKinds.includes(PermissionScopeKind.Device) ? permission : undefined;
}
