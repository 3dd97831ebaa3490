import type { Session } from './session.js';
import type { PermissionName } from '../model/permissions/names.js';

/** What a session names of the permissions of its user. */
export type Rights = Pick<Session, 'serverPermissions' | 'tenantPermissions' | 'devicePermissions'>;

/** Whether the session holds a permission on its whole tenant or on the server. */
export const holds = ({ tenantPermissions, serverPermissions }: Rights, permission: PermissionName): boolean =>
  tenantPermissions.includes(permission) || serverPermissions.includes(permission);

/** Whether the session holds a permission, if only on some devices. */
export const holdsSomewhere = (rights: Rights, permission: PermissionName): boolean =>
  holds(rights, permission) || rights.devicePermissions.includes(permission);
