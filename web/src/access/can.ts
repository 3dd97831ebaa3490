import { holds } from './holds.js';
import { useSession } from './session.js';

/** Whether the user holds a permission on the whole tenant or on the server. Routes ask again: this only says what to offer. */
export const useCan = (permission: string): boolean => holds(useSession(), permission);
