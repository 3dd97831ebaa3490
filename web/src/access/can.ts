import { type Session, useSession } from './session.js';

/** Whether the session holds a permission on its whole tenant or on the server. */
export const holds = (session: Session, permission: string): boolean =>
  session.tenantPermissions.includes(permission) || session.serverPermissions.includes(permission);

/** Whether the user holds a permission on the whole tenant or on the server. Routes ask again: this only says what to offer. */
export const useCan = (permission: string): boolean => holds(useSession(), permission);
