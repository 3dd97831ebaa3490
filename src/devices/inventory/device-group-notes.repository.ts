import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { readRows } from '../../platform/database/queries/read-rows.js';
import type { DeviceGroupNotesDto } from './device-group-notes.dto.js';

const FIND = `
  SELECT COALESCE(noted.notes, '') AS notes
  FROM device_groups g LEFT JOIN device_group_notes noted ON noted.device_group_id = g.id
  WHERE g.id = $1 AND g.tenant_id = $2`;

/** The SQL of the notes of device groups. */
@Injectable()
export class DeviceGroupNotesRepository {
  /** The notes of a group; null when the tenant has no such group. */
  async find(manager: EntityManager, groupId: string, tenantId: string): Promise<DeviceGroupNotesDto | null> {
    const [row] = await readRows<DeviceGroupNotesDto>(manager, FIND, [groupId, tenantId]);
    return row ?? null;
  }

  /** Keeps others from changing the notes of a group until the transaction ends. */
  async hold(manager: EntityManager, groupId: string, tenantId: string): Promise<void> {
    await manager.query('SELECT FROM device_groups WHERE id = $1 AND tenant_id = $2 FOR NO KEY UPDATE', [groupId, tenantId]);
  }

  /** Stores the notes of a group; empty ones are removed. */
  async write(manager: EntityManager, groupId: string, notes: string): Promise<void> {
    if (notes === '') await manager.query('DELETE FROM device_group_notes WHERE device_group_id = $1', [groupId]);
    else {
      await manager.query(
        `INSERT INTO device_group_notes (device_group_id, notes) VALUES ($1, $2)
         ON CONFLICT (device_group_id) DO UPDATE SET notes = EXCLUDED.notes`,
        [groupId, notes],
      );
    }
  }
}
