import { findPermission, Permission, PermissionScopeKind, type PermissionDefinition } from '../authorization/permission.js';
import { invalidField } from '../common/errors.js';

/** What a token carries when its creator names nothing. */
const DEFAULT_PERMISSIONS: readonly PermissionDefinition[] = [Permission.DeviceRead, Permission.DeviceOverviewRead];

/** What a logon token will carry. */
export interface TokenPermissions {
  /** Named by the creator, who must hold each on the device. */
  readonly named: readonly PermissionDefinition[];
  /** Everything that the token carries. */
  readonly carried: readonly PermissionDefinition[];
}

/**
 * The permissions of a token whose creator names some, or none (null or empty). A page of a device can do nothing without
 * `device.read`, so that every token carries it. 400 for what is no permission on devices.
 */
export function tokenPermissions(names: readonly string[] | null): TokenPermissions {
  if (names === null || names.length === 0) return { named: [], carried: DEFAULT_PERMISSIONS };
  const named = [...new Set(names)].map((name) => {
    const permission = findPermission(name);
    if (permission?.scopeKinds.includes(PermissionScopeKind.Device)) return permission;
    throw invalidField('permissions', `permissions must hold names of device permissions: ${JSON.stringify(name)} is none.`);
  });
  return { named, carried: named.includes(Permission.DeviceRead) ? named : [Permission.DeviceRead, ...named] };
}
