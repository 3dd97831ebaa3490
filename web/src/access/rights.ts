import type { Session } from './session.js';
import type { PermissionName } from '../model/permissions/names.js';

/** The user's permissions, as a session names them. */
export type Rights = Pick<Session, 'serverPermissions' | 'tenantPermissions' | 'devicePermissions'>;

/** True if the session holds a permission on its whole tenant or on the server. */
export const holds = ({ tenantPermissions, serverPermissions }: Rights, permission: PermissionName): boolean =>
  tenantPermissions.includes(permission) || serverPermissions.includes(permission);

/** True if the session holds a permission, if only on some devices. */
export const holdsSomewhere = (rights: Rights, permission: PermissionName): boolean =>
  holds(rights, permission) || rights.devicePermissions.includes(permission);
