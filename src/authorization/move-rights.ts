import { forbidden } from '../common/errors.js';
import type { SqlCondition } from './device-scope.js';
import { Permission } from './permission.js';

const RIGHT_TO_LIFT = `the permission ${Permission.TenantPermissionsDeny.name} is required.`;

/**
 * A caller's rights to move devices between customers and device groups. Two rules keep callers from gaining rights by
 * moving devices: they cannot add devices that they may not read, and they cannot escape a Deny by removing devices
 * from the scope that it applies to.
 */
export class MoveRights {
  constructor(
    /** The devices that the caller may read, as a condition on the alias `d` with parameters numbered from 1. */
    readonly readable: SqlCondition,
    private readonly mayLiftDenials: boolean,
    /** The ids of the customers and device groups at which the caller has a Deny. */
    private readonly deniedAt: ReadonlySet<string>,
  ) {}

  /** 403 unless the caller may read every added device. */
  requireIncoming(devices: readonly { readonly isReadable: boolean }[]): void {
    if (devices.every(({ isReadable }) => isReadable)) return;
    throw forbidden(`Moving a device requires ${Permission.DeviceRead.name} on it: you may not read all of these devices.`);
  }

  /** 403 when devices leave customers or groups at which the caller has a Deny, unless the caller may write Deny assignments. */
  requireOutgoing(containerIds: Iterable<string>): void {
    if (this.mayLiftDenials) return;
    for (const id of containerIds) {
      if (this.deniedAt.has(id)) throw forbidden(`Removing these devices would end a denial that applies to you: ${RIGHT_TO_LIFT}`);
    }
  }

  /** 403 when a customer or device group that carries a Deny of anybody is deleted, unless the caller may write Deny assignments. */
  requireRemovable({ carriesDenial }: { readonly carriesDenial: boolean }): void {
    if (carriesDenial && !this.mayLiftDenials) throw forbidden(`This would also delete Deny assignments: ${RIGHT_TO_LIFT}`);
  }
}
