import { holds } from './holds.js';
import { useSession } from './session.js';
import type { PermissionName } from '../model/permissions/names.js';

/** Whether the user holds a permission on the whole tenant or on the server. Routes ask again: this only says what to offer. */
export const useCan = (permission: PermissionName): boolean => holds(useSession(), permission);
