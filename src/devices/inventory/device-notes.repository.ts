import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { SqlCondition } from '../../access/authorization/evaluation/device-scope.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import type { DeviceNotesDto, ListedDeviceDto } from './device-field.dto.js';

/** A device that is locked until the transaction ends. */
export interface HeldDevice {
  readonly id: string;
  readonly tenantId: string;
}

/** The values of a device in the order of the fields; the fields are those of its tenant. */
const valuesOf = (condition: string): string => `
  COALESCE((SELECT jsonb_agg(jsonb_build_object('fieldId', held.field_id, 'value', held.value) ORDER BY field.position, field.id)
            FROM device_field_values held JOIN device_fields field ON field.id = held.field_id
            WHERE held.device_id = d.id AND field.tenant_id = d.tenant_id AND ${condition}), '[]') AS values`;

const FIND = `
  SELECT COALESCE(noted.note, '') AS note, ${valuesOf('TRUE')}
  FROM devices d LEFT JOIN device_notes noted ON noted.device_id = d.id
  WHERE d.id = $1 AND ($2::uuid IS NULL OR d.tenant_id = $2)`;

/** The SQL of notes and values of devices. */
@Injectable()
export class DeviceNotesRepository {
  /** The note and the values of a device, or null; `tenantId` is null when the caller may name any tenant. */
  async find(manager: EntityManager, deviceId: string, tenantId: string | null): Promise<DeviceNotesDto | null> {
    const [row] = await readRows<DeviceNotesDto>(manager, FIND, [deviceId, tenantId]);
    return row ?? null;
  }

  /** The values of listed fields on those of the devices that are in scope, which is a condition on the alias `d`. */
  listed(manager: EntityManager, { sql, parameters }: SqlCondition, deviceIds: readonly string[]): Promise<ListedDeviceDto[]> {
    return readRows<ListedDeviceDto>(
      manager,
      `SELECT d.id AS "deviceId", ${valuesOf('field.is_listed')} FROM devices d
       WHERE ${sql} AND d.id = ANY($${parameters.length + 1}::uuid[]) ORDER BY d.id`,
      [...parameters, deviceIds],
    );
  }

  /** Keeps others from changing the notes of a device until the transaction ends; null when there is no such device. */
  async hold(manager: EntityManager, deviceId: string, tenantId: string | null): Promise<HeldDevice | null> {
    const [row] = await manager.query<HeldDevice[]>(
      `SELECT d.id, d.tenant_id AS "tenantId" FROM devices d
       WHERE d.id = $1 AND ($2::uuid IS NULL OR d.tenant_id = $2) FOR NO KEY UPDATE`,
      [deviceId, tenantId],
    );
    return row ?? null;
  }

  /** Stores the note of a device; an empty one is removed. */
  async writeNote(manager: EntityManager, deviceId: string, note: string): Promise<void> {
    if (note === '') await manager.query('DELETE FROM device_notes WHERE device_id = $1', [deviceId]);
    else {
      await manager.query(
        'INSERT INTO device_notes (device_id, note) VALUES ($1, $2) ON CONFLICT (device_id) DO UPDATE SET note = EXCLUDED.note',
        [deviceId, note],
      );
    }
  }

  /** Stores values of a device by field; null removes one. */
  async writeValues(manager: EntityManager, deviceId: string, values: ReadonlyMap<string, string | null>): Promise<void> {
    const removed = [...values].filter(([, value]) => value === null).map(([fieldId]) => fieldId);
    const stored = [...values].filter(([, value]) => value !== null);
    await manager.query('DELETE FROM device_field_values WHERE device_id = $1 AND field_id = ANY($2::uuid[])', [deviceId, removed]);
    await manager.query(
      `INSERT INTO device_field_values (device_id, field_id, value)
       SELECT $1, given.field_id, given.value FROM unnest($2::uuid[], $3::text[]) AS given (field_id, value)
       ON CONFLICT (device_id, field_id) DO UPDATE SET value = EXCLUDED.value`,
      [deviceId, stored.map(([fieldId]) => fieldId), stored.map(([, value]) => value)],
    );
  }
}
