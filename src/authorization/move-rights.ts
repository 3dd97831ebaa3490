import { forbidden } from '../common/errors.js';
import type { SqlCondition } from './device-scope.js';
import { Permission } from './permission.js';

const RIGHT_TO_LIFT = `the permission ${Permission.TenantPermissionsDeny.name} is required.`;

/**
 * What a caller may do with the devices of customers and device groups. Both rules keep a caller from gaining rights by moving
 * devices: it cannot bring in devices that it may not read, and it cannot end a denial by removing what the denial applies to.
 */
export class MoveRights {
  constructor(
    /** The devices that the caller may read: a condition on the alias `d`, its parameters numbered from 1. */
    readonly readable: SqlCondition,
    private readonly mayLiftDenials: boolean,
    /** The ids of the customers and device groups at which the caller itself is denied something. */
    private readonly deniedAt: ReadonlySet<string>,
  ) {}

  /** 403 unless the caller may read every device that is added. */
  requireIncoming(devices: readonly { readonly isReadable: boolean }[]): void {
    if (devices.every(({ isReadable }) => isReadable)) return;
    throw forbidden(`Moving a device requires ${Permission.DeviceRead.name} on it: you may not read all of these devices.`);
  }

  /** 403 when devices leave customers or groups at which the caller is denied something, unless it may write denials. */
  requireOutgoing(containerIds: Iterable<string>): void {
    if (this.mayLiftDenials) return;
    for (const id of containerIds) {
      if (this.deniedAt.has(id)) throw forbidden(`Removing these devices would end a denial that applies to you: ${RIGHT_TO_LIFT}`);
    }
  }

  /** 403 when a customer or device group at which anyone is denied something is deleted, unless the caller may write denials. */
  requireRemovable({ carriesDenial }: { readonly carriesDenial: boolean }): void {
    if (carriesDenial && !this.mayLiftDenials) throw forbidden(`This would also delete Deny assignments: ${RIGHT_TO_LIFT}`);
  }
}
