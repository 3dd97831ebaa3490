import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../authentication/request-context.js';
import { DEVICE_TOPIC } from '../authorization/authorization.service.js';
import type { SqlCondition } from '../authorization/device-scope.js';
import { invalidField } from '../common/errors.js';
import type { InTransaction, Transaction } from '../database/unit-of-work.js';

/**
 * Most devices of a customer, group or tag that a change of the whole names one by one. Of more, the change log has the
 * number, the caches forget all they keep, and viewers hear with each device's next report.
 *
 * It is also the most that one transaction writes when a customer or tag lets go of all its devices: the reports of a device
 * wait for as long as its row is held.
 */
export const MAXIMUM_NAMED_DEVICES = 1_000;

const ANY_DEVICE: SqlCondition = { sql: 'TRUE', parameters: [] };

/** A device that stays as it is until the transaction ends. */
export interface HeldDevice {
  readonly id: string;
  readonly customerId: string | null;
  /** Whether it meets the condition that it was held under. */
  readonly isReadable: boolean;
}

/** Devices of a tenant, held while customers, groups and tags take them in or let them go. */
@Injectable()
export class HeldDevices {
  /**
   * Those of the devices that the tenant has; locked in order of their ids, so that no two calls deadlock. `readable` is a
   * condition on the alias `d`, its parameters from the first one on.
   */
  hold(tx: InTransaction<TenantContext>, ids: readonly string[], readable: SqlCondition = ANY_DEVICE): Promise<HeldDevice[]> {
    const first = readable.parameters.length + 1;
    return tx.manager.query<HeldDevice[]>(
      `SELECT d.id, d.customer_id AS "customerId", COALESCE(${readable.sql}, FALSE) AS "isReadable" FROM devices d
       WHERE d.tenant_id = $${first} AND d.id = ANY($${first + 1}::uuid[]) ORDER BY d.id FOR NO KEY UPDATE OF d`,
      [...readable.parameters, tx.tenantId, ids],
    );
  }
}

/** The devices of the ids; 400 naming the field when one of them is none of the tenant's. */
export function requireEach(held: readonly HeldDevice[], ids: readonly string[], field: string): HeldDevice[] {
  const byId = new Map(held.map((device) => [device.id, device]));
  return [...new Set(ids)].map((id) => {
    const device = byId.get(id);
    if (device === undefined) throw invalidField(field, `${field} must hold devices of the tenant only.`);
    return device;
  });
}

/** Lets the caches forget what contains the devices; `total` is how many there are when not all of them are named. */
export function touchDevices(transaction: Transaction, ids: readonly string[], total = ids.length): void {
  if (total > ids.length) transaction.touchEverything();
  else for (const id of ids) transaction.touch(DEVICE_TOPIC, id);
}
