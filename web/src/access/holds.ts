import type { Session } from './session.js';

/** What a session names of the permissions of its user. */
export type Rights = Pick<Session, 'serverPermissions' | 'tenantPermissions' | 'devicePermissions'>;

/** Whether the session holds a permission on its whole tenant or on the server. */
export const holds = ({ tenantPermissions, serverPermissions }: Rights, permission: string): boolean =>
  tenantPermissions.includes(permission) || serverPermissions.includes(permission);

/** Whether the session holds a permission, if only on some devices. */
export const holdsSomewhere = (rights: Rights, permission: string): boolean =>
  holds(rights, permission) || rights.devicePermissions.includes(permission);
