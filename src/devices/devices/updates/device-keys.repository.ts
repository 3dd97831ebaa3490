import { Injectable } from '@nestjs/common';

import { keyPendingSql } from '../../../access/authorization/evaluation/device-scope.js';
import { ReportsDataSource } from '../../../platform/database/connection/reserved-data-source.js';
import { readRows } from '../../../platform/database/queries/read-rows.js';
import type { CountingKeys } from '../../device-link/device-presence.js';

interface KeysRow extends CountingKeys {
  readonly id: string;
}

const FIND = `
  SELECT d.id, CASE WHEN ${keyPendingSql('d')} THEN NULL ELSE d.public_key END AS "inForce",
         CASE WHEN d.key_pending_since IS NULL THEN NULL WHEN d.waiting_public_key = '' THEN d.public_key ELSE d.waiting_public_key END AS waiting
  FROM devices d JOIN tenants t ON t.id = d.tenant_id WHERE d.id = ANY($1::uuid[]) AND t.deleted_at IS NULL`;

/** A signed time must never be accepted twice. Null is not compared. */
const NOTE_WAITING = `
  UPDATE devices SET waiting_update_ticks = GREATEST(waiting_update_ticks, COALESCE($3::int8, 0))
  WHERE id = $1 AND waiting_public_key = $2 AND ($3::int8 IS NULL OR waiting_update_ticks < $3) RETURNING id`;

/** The SQL of the keys that count for devices. */
@Injectable()
export class DeviceKeysRepository {
  constructor(private readonly dataSource: ReportsDataSource) {}

  /** The keys of the devices that exist, in any tenant. */
  async find(ids: readonly string[]): Promise<ReadonlyMap<string, CountingKeys>> {
    const rows = await readRows<KeysRow>(this.dataSource.manager, FIND, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Notes the signed time of an update with the waiting key; false when another key waits by now, or a newer time was noted. */
  async noteWaiting(id: string, publicKey: string, ticks: bigint | null): Promise<boolean> {
    const rows = await readRows(this.dataSource.manager, NOTE_WAITING, [id, publicKey, ticks?.toString() ?? null]);
    return rows.length > 0;
  }
}
