import { useCan } from '../../../access/can.js';
import { type Kind, PERMISSIONS } from './act.js';

/** The acts to offer to a user who holds these permissions on devices. */
export function useOffered(permissions: ReadonlySet<string> | undefined): (kind: Kind) => boolean {
  const mayAssign = useCan('tenant.customers.write');
  const mayGroup = useCan('device-group.assign-devices');
  return (kind) => {
    if (kind === 'customer') return mayAssign;
    if (kind === 'group') return mayGroup;
    return permissions?.has(PERMISSIONS[kind]) === true;
  };
}
