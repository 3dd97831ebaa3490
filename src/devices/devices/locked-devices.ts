import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import type { SqlCondition } from '../../access/authorization/evaluation/device-scope.js';
import { invalidField } from '../../platform/common/errors/errors.js';
import type { InTransaction, Transaction } from '../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../platform/database/triggers/invalidation-topics.js';

/**
 * Most devices that a change of a whole customer, group or tag handles one by one. When there are more, the change log has only their
 * number, the caches forget everything, and viewers see the change with the next report of each device.
 *
 * It is also the most that one transaction writes when a customer or tag loses all its devices, because the reports of a device wait as
 * long as its row is locked.
 */
export const MAXIMUM_NAMED_DEVICES = 1_000;

const ANY_DEVICE: SqlCondition = { sql: 'TRUE', parameters: [] };

/** A device that is locked until the transaction ends. */
export interface LockedDevice {
  readonly id: string;
  readonly customerId: string | null;
  /** True if the device meets the condition that was given. */
  readonly isReadable: boolean;
}

/** Locks devices while they are added to customers, groups and tags, or removed from them. */
@Injectable()
export class LockedDevices {
  /**
   * Those of the devices that the tenant has, locked in the order of their ids so that no two calls deadlock. `readable` returns a
   * condition on the alias `d`, with its parameters numbered from 1. It is asked once the devices are locked, because rights may end while
   * they are waited for.
   */
  async hold(tx: InTransaction<TenantContext>, ids: readonly string[], readable?: () => Promise<SqlCondition>): Promise<LockedDevice[]> {
    const held = await this.lock(tx, ids, ANY_DEVICE);
    return readable === undefined || held.length === 0 ? held : this.lock(tx, ids, await readable());
  }

  private lock(tx: InTransaction<TenantContext>, ids: readonly string[], readable: SqlCondition): Promise<LockedDevice[]> {
    const first = readable.parameters.length + 1;
    return tx.manager.query<LockedDevice[]>(
      `SELECT d.id, d.customer_id AS "customerId", COALESCE(${readable.sql}, FALSE) AS "isReadable" FROM devices d
       WHERE d.tenant_id = $${first} AND d.id = ANY($${first + 1}::uuid[]) ORDER BY d.id FOR NO KEY UPDATE OF d`,
      [...readable.parameters, tx.tenantId, ids],
    );
  }
}

/** The devices with the ids; 400 that names the field when the tenant does not have one of them. */
export function requireEach(held: readonly LockedDevice[], ids: readonly string[], field: string): LockedDevice[] {
  const byId = new Map(held.map((device) => [device.id, device]));
  return [...new Set(ids)].map((id) => {
    const device = byId.get(id);
    if (device === undefined) throw invalidField(field, `${field} must contain only devices of the tenant.`);
    return device;
  });
}

/** Makes the caches forget the entries with the devices, or everything when `ids` are not all of the `total`. */
export function touchDevices(transaction: Transaction, ids: readonly string[], total = ids.length): void {
  if (total > ids.length) transaction.touchEverything();
  else for (const id of ids) transaction.touch(Topic.Device, id);
}
