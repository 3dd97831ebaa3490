import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { KeyOwner } from '../../installer-keys/installer-key-redemption.js';

/** A device that is registered already, with the values that the rules of registration need. */
export interface ExistingDevice {
  readonly tenantId: string;
  readonly customerId: string | null;
  readonly deviceGroupIds: readonly string[];
  readonly isTagged: boolean;
  /** Empty while none is stored. */
  readonly publicKey: string;
  /** True if a key waits for approval. */
  readonly isKeyPending: boolean;
  /** The key that waits beside the one in force; empty when none does. */
  readonly waitingPublicKey: string;
  /** Empty while offline. */
  readonly connectionId: string;
}

/** Creator of an installer key. */
export interface KeyCreator {
  /** False for a suspended user and for a disabled account. */
  readonly isActive: boolean;
  readonly isUnrestricted: boolean;
}

interface RegisteredRow {
  readonly tenant_id: string;
  readonly customer_id: string | null;
  readonly device_group_ids: string[];
  readonly is_tagged: boolean;
  readonly public_key: string;
  readonly is_key_pending: boolean;
  readonly waiting_public_key: string;
  readonly connection_id: string;
}

const REGISTERED = `
  SELECT d.tenant_id, d.customer_id, d.is_tagged, d.public_key, d.connection_id,
         d.key_pending_since IS NOT NULL AS is_key_pending, d.waiting_public_key,
         ARRAY(SELECT m.device_group_id FROM device_group_members m WHERE m.device_id = d.id) AS device_group_ids
  FROM devices d WHERE d.id = $1 FOR UPDATE OF d`;

/** By kind of creator: the creator, if it exists. */
const CREATOR: Readonly<Record<KeyOwner['creatorKind'], string>> = {
  User: `
    SELECT suspended_at IS NULL AS "isActive", FALSE AS "isUnrestricted" FROM users WHERE id = $1 AND tenant_id = $2`,
  TenantServiceAccount: `
    SELECT is_enabled AS "isActive", FALSE AS "isUnrestricted" FROM service_accounts WHERE id = $1 AND tenant_id = $2`,
  ServerServiceAccount: `
    SELECT is_enabled AS "isActive", access_mode = 'Unrestricted' AS "isUnrestricted" FROM service_accounts
    WHERE id = $1 AND $2::uuid IS NOT NULL AND tenant_id IS NULL`,
};

const TOKEN_IS_ACTIVE = `
  SELECT 1 FROM personal_access_tokens WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`;

/** The SQL of registrations. */
@Injectable()
export class RegistrationRepository {
  /** The device with this id, in any tenant; it stays as it is until the transaction ends. */
  async hold(manager: EntityManager, id: string): Promise<ExistingDevice | null> {
    const [row] = await manager.query<RegisteredRow[]>(REGISTERED, [id]);
    if (row === undefined) return null;
    return {
      tenantId: row.tenant_id,
      customerId: row.customer_id,
      deviceGroupIds: row.device_group_ids,
      isTagged: row.is_tagged,
      publicKey: row.public_key,
      isKeyPending: row.is_key_pending,
      waitingPublicKey: row.waiting_public_key,
      connectionId: row.connection_id,
    };
  }

  /** Checks that a device with this id was deleted and has not been registered since. */
  async wasDeleted(manager: EntityManager, id: string): Promise<boolean> {
    return (await manager.query<unknown[]>('SELECT 1 FROM deleted_devices WHERE id = $1', [id])).length > 0;
  }

  /** Ends the memory of a deletion: a holder of an installer key has registered the device again. */
  async forgetDeletion(manager: EntityManager, id: string): Promise<void> {
    await manager.query('DELETE FROM deleted_devices WHERE id = $1', [id]);
  }

  /** Ends the memory of at most `limit` deletions before a time, and returns of how many. */
  async forgetDeletionsBefore(manager: EntityManager, time: Date, limit: number): Promise<number> {
    const sql = 'DELETE FROM deleted_devices WHERE id IN (SELECT id FROM deleted_devices WHERE deleted_at < $1 LIMIT $2)';
    const [, count] = await manager.query<[unknown[], number]>(sql, [time, limit]);
    return count;
  }

  /** The creator of a key; null when it is gone. */
  async creator(manager: EntityManager, { creatorId, creatorKind, tenantId }: KeyOwner): Promise<KeyCreator | null> {
    const [creator] = await manager.query<KeyCreator[]>(CREATOR[creatorKind], [creatorId, tenantId]);
    return creator ?? null;
  }

  /** Checks that a personal access token exists and may still be used. */
  async tokenIsActive(manager: EntityManager, tokenId: string, now: Date): Promise<boolean> {
    return (await manager.query<unknown[]>(TOKEN_IS_ACTIVE, [tokenId, now])).length > 0;
  }

  /** Checks that the tenant has the customer, which is then kept from being deleted until the transaction ends. */
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
