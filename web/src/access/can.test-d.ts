import { useCan } from './can.js';

/* Pages ask for permissions that the service has. */

export const useRight = (): boolean => useCan('tenant.users.read');
// @ts-expect-error: a typo
export const useWrong = (): boolean => useCan('tenant.userz.read');
