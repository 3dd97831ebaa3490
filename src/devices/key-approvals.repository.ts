import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { SqlCondition } from '../authorization/device-scope.js';
import { readRows } from '../database/read-rows.js';
import type { ListKey } from './devices.repository.js';

/** The key of a device. */
export interface DeviceKeyRow {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** Empty while offline. */
  readonly connectionId: string;
  /** Empty while none is stored. */
  readonly publicKey: string;
  /** The key that was in force before one that waits; empty when there was none. */
  readonly formerPublicKey: string;
  /** Null while the key is in force. */
  readonly keyPendingSince: Date | null;
}

const COLUMNS = `
  d.id, d.tenant_id AS "tenantId", d.name, d.connection_id AS "connectionId", d.public_key AS "publicKey",
  d.former_public_key AS "formerPublicKey", d.key_pending_since AS "keyPendingSince"`;

/** Null stands for any tenant. */
const OF_TENANT = 'd.id = $1 AND ($2::uuid IS NULL OR d.tenant_id = $2)';
const FIND = `SELECT ${COLUMNS} FROM devices d WHERE ${OF_TENANT}`;
const APPROVE = `UPDATE devices SET key_pending_since = NULL, former_public_key = '' WHERE id = $1`;
/** Without a signed time that the next update has to be newer than, as after a registration. */
const REFUSE = `
  UPDATE devices SET key_pending_since = NULL, public_key = former_public_key, former_public_key = '', last_update_ticks = 0,
    is_online = FALSE, connection_id = '', node_id = NULL
  WHERE id = $1`;

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

  /** Puts the key of a device in force. */
  async approve(manager: EntityManager, id: string): Promise<void> {
    await manager.query(APPROVE, [id]);
  }

  /** Puts the former key of a device back in force. The device is offline until it reports with that key. */
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
