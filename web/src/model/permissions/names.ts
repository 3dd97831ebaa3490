import type { DevicePermission } from '#libs/contracts';

import type { OperationPermission } from '../../api/generated/permissions.js';

/** Permissions that no operation asks for by itself: they widen others. */
export const WIDENING_PERMISSIONS = [
  'installer-key.manage-all',
  'server.permissions.read',
  'server.permissions.write',
  'tenant.permissions.deny',
  'tenant.read',
] as const;

/** Every permission of the service: those that operations and methods of the hub ask for, and the few beside them. */
export type PermissionName = OperationPermission | DevicePermission | (typeof WIDENING_PERMISSIONS)[number];
