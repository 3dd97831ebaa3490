import type { PermissionName } from './names.js';

/* A permission that the service does not have is no name of one. */

export const ofOperation: PermissionName = 'tenant.users.read';
export const ofDevice: PermissionName = 'device.terminal.use';
export const widening: PermissionName = 'tenant.permissions.deny';
// @ts-expect-error: a typo
export const mistyped: PermissionName = 'tenant.userz.read';
