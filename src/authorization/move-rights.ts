import { forbidden } from '../common/errors.js';
import type { SqlCondition } from './device-scope.js';
import { Permission } from './permission.js';

const LIFTS = `the permission ${Permission.TenantPermissionsDeny.name} is required.`;

/**
 * What a caller may do with devices that come into a customer or device group, or leave one. Whatever it controls may not
 * bring it devices that it cannot read, and no denial may end by taking away what it is about.
 */
export class MoveRights {
  constructor(
    /** The devices that the caller may read, as a condition on the alias `d` with its parameters from the first one on. */
    readonly readable: SqlCondition,
    private readonly mayLiftDenials: boolean,
    /** The customers and device groups at which the caller itself is denied something. */
    private readonly deniedAt: ReadonlySet<string>,
  ) {}

  /** 403 unless the caller may read each device that comes in. */
  requireIncoming(devices: readonly { readonly isReadable: boolean }[]): void {
    if (devices.every(({ isReadable }) => isReadable)) return;
    throw forbidden(`Moving a device requires ${Permission.DeviceRead.name} on it: you may not read all of these devices.`);
  }

  /** 403 when a device leaves what carries a denial of the caller's own, unless the caller may write denials. */
  requireOutgoing(containerIds: Iterable<string>): void {
    if (this.mayLiftDenials) return;
    for (const id of containerIds) {
      if (this.deniedAt.has(id)) throw forbidden(`Taking devices away from a denial that concerns you would lift it: ${LIFTS}`);
    }
  }

  /** 403 when a customer or device group takes denials of anybody along, unless the caller may write denials. */
  requireRemovable({ carriesDenial }: { readonly carriesDenial: boolean }): void {
    if (carriesDenial && !this.mayLiftDenials) throw forbidden(`Deny assignments would be deleted along with it: ${LIFTS}`);
  }
}
