import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { KeyOwner } from '../installer-keys/installer-key-redemption.js';

/** A device that is registered already, with what the rules of registration need. */
export interface ExistingDevice {
  readonly tenantId: string;
  readonly customerId: string | null;
  readonly deviceGroupIds: readonly string[];
  readonly isTagged: boolean;
}

interface RegisteredRow {
  readonly tenant_id: string;
  readonly customer_id: string | null;
  readonly device_group_ids: string[];
  readonly is_tagged: boolean;
}

const REGISTERED = `
  SELECT d.tenant_id, d.customer_id, d.is_tagged,
         ARRAY(SELECT m.device_group_id FROM device_group_members m WHERE m.device_id = d.id) AS device_group_ids
  FROM devices d WHERE d.id = $1`;

/** By kind of creator: finds a row when the creator exists and is not disabled. */
const CREATOR: Readonly<Record<KeyOwner['creatorKind'], string>> = {
  User: 'SELECT 1 FROM users WHERE id = $1 AND tenant_id = $2',
  TenantServiceAccount: 'SELECT 1 FROM service_accounts WHERE id = $1 AND tenant_id = $2 AND is_enabled',
  ServerServiceAccount: 'SELECT 1 FROM service_accounts WHERE id = $1 AND $2::uuid IS NOT NULL AND tenant_id IS NULL AND is_enabled',
};

/** The SQL of registrations. */
@Injectable()
export class RegistrationRepository {
  /** The device with this id, in any tenant. */
  async device(manager: EntityManager, id: string): Promise<ExistingDevice | null> {
    const [row] = await manager.query<RegisteredRow[]>(REGISTERED, [id]);
    if (row === undefined) return null;
    return { tenantId: row.tenant_id, customerId: row.customer_id, deviceGroupIds: row.device_group_ids, isTagged: row.is_tagged };
  }

  /** Whether a device with this id was deleted and has not been registered since. */
  async wasDeleted(manager: EntityManager, id: string): Promise<boolean> {
    return (await manager.query<unknown[]>('SELECT 1 FROM deleted_devices WHERE id = $1', [id])).length > 0;
  }

  /** Ends the memory of a deletion: somebody with an installer key has registered the device anew. */
  async forgetDeletion(manager: EntityManager, id: string): Promise<void> {
    await manager.query('DELETE FROM deleted_devices WHERE id = $1', [id]);
  }

  /** Locks a device and returns its hub connection; empty when there is none. */
  async lockConnection(manager: EntityManager, id: string): Promise<string> {
    const rows = await manager.query<{ connection_id: string }[]>('SELECT connection_id FROM devices WHERE id = $1 FOR UPDATE', [id]);
    return rows.at(0)?.connection_id ?? '';
  }

  /** Whether the creator of a key still exists and is not disabled. */
  async creatorIsActive(manager: EntityManager, { creatorId, creatorKind, tenantId }: KeyOwner): Promise<boolean> {
    return (await manager.query<unknown[]>(CREATOR[creatorKind], [creatorId, tenantId])).length > 0;
  }

  /** Whether the tenant has the customer, which is then kept from being deleted until the transaction ends. */
  async holdCustomer(manager: EntityManager, tenantId: string, customerId: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>('SELECT 1 FROM customers WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE', [
      tenantId,
      customerId,
    ]);
    return rows.length > 0;
  }

  /** Gives a device exactly these tags. False, and nothing is changed, when the tenant does not have one of them. */
  async replaceTags(manager: EntityManager, tenantId: string, deviceId: string, tagIds: readonly string[]): Promise<boolean> {
    const distinct = [...new Set(tagIds)];
    const known = await manager.query<unknown[]>(
      'SELECT 1 FROM tags WHERE tenant_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR KEY SHARE',
      [tenantId, distinct],
    );
    if (known.length < distinct.length) return false;
    await manager.query('DELETE FROM device_tags WHERE device_id = $1 AND NOT (tag_id = ANY($2::uuid[]))', [deviceId, distinct]);
    await manager.query('INSERT INTO device_tags (device_id, tag_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING', [
      deviceId,
      distinct,
    ]);
    return true;
  }
}
