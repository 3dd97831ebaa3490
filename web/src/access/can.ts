import { holds } from './rights.js';
import { useSession } from './session.js';
import type { PermissionName } from '../model/permissions/names.js';

/** True if the user holds a permission on the whole tenant or on the server. Routes check again: this decides only what a page offers. */
export const useCan = (permission: PermissionName): boolean => holds(useSession(), permission);
