import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { SqlCondition } from '../../../access/authorization/evaluation/device-scope.js';
import { readRows } from '../../../platform/database/queries/read-rows.js';
import type { ListKey } from '../devices.repository.js';

/** The key of a device. */
export interface DeviceKeyRow {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** Empty while none is stored. */
  readonly publicKey: string;
  /** The key that waits beside `publicKey`, which is in force then; empty when none does. */
  readonly waitingPublicKey: string;
  /** Null while no key waits. */
  readonly keyPendingSince: Date | null;
}

const COLUMNS = `
  d.id, d.tenant_id AS "tenantId", d.name, d.public_key AS "publicKey", d.waiting_public_key AS "waitingPublicKey",
  d.key_pending_since AS "keyPendingSince"`;

/** Null stands for any tenant. */
const OF_TENANT = 'd.id = $1 AND ($2::uuid IS NULL OR d.tenant_id = $2)';
const FIND = `SELECT ${COLUMNS} FROM devices d WHERE ${OF_TENANT}`;
/** The only key of a device. */
const APPROVE = `UPDATE devices SET key_pending_since = NULL WHERE id = $1`;
/** A key that waits beside another. The device is offline until its new agent reports; no signed time of that agent counts twice. */
const REPLACE = `
  UPDATE devices SET key_pending_since = NULL, public_key = waiting_public_key, waiting_public_key = '',
    last_update_ticks = waiting_update_ticks, is_online = FALSE, connection_id = '', node_id = NULL
  WHERE id = $1`;
const REFUSE = `UPDATE devices SET key_pending_since = NULL, waiting_public_key = '' WHERE id = $1`;

/** The SQL of keys that wait for approval. */
@Injectable()
export class KeyApprovalsRepository {
  /** The key of a device; `tenantId` is null when the caller may name any tenant. */
  async find(manager: EntityManager, id: string, tenantId: string | null): Promise<DeviceKeyRow | null> {
    const [row] = await manager.query<DeviceKeyRow[]>(FIND, [id, tenantId]);
    return row ?? null;
  }

  /** The same; it stays as it is until the transaction ends. */
  async hold(manager: EntityManager, id: string, tenantId: string | null): Promise<DeviceKeyRow | null> {
    const [row] = await manager.query<DeviceKeyRow[]>(`${FIND} FOR NO KEY UPDATE OF d`, [id, tenantId]);
    return row ?? null;
  }

  /** Puts the key of a device in force that waits. */
  async approve(manager: EntityManager, { id, waitingPublicKey }: DeviceKeyRow): Promise<void> {
    await manager.query(waitingPublicKey === '' ? APPROVE : REPLACE, [id]);
  }

  /** Drops the key of a device that waits beside the one in force. */
  async refuse(manager: EntityManager, id: string): Promise<void> {
    await manager.query(REFUSE, [id]);
  }

  /** The next page of the keys in scope that wait, in order of their devices' creation. */
  page(
    manager: EntityManager,
    { sql, parameters }: SqlCondition,
    after: ListKey | null,
    limit: number,
  ): Promise<(DeviceKeyRow & ListKey)[]> {
    const { length } = parameters;
    const behind = after === null ? '' : `AND (d.created_at, d.id) > ($${length + 2}::timestamptz, $${length + 3}::uuid)`;
    return readRows(
      manager,
      `SELECT ${COLUMNS}, d.created_at::text AS list_key FROM devices d
       WHERE ${sql} AND d.key_pending_since IS NOT NULL ${behind} ORDER BY d.created_at, d.id LIMIT $${length + 1}`,
      [...parameters, limit, ...(after === null ? [] : [after.list_key, after.id])],
    );
  }
}
