import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { lockNamesUntilCommit, NamedAdvisoryLock } from '../../platform/database/locks/advisory-locks.js';
import { DeviceField } from './device-field.entity.js';

/** The SQL of the fields that tenants define. */
@Injectable()
export class DeviceFieldsRepository {
  /** The fields of a tenant in their order; the service keeps them few. */
  list(manager: EntityManager, tenantId: string): Promise<DeviceField[]> {
    return manager.find(DeviceField, { where: { tenantId }, order: { position: 'ASC', id: 'ASC' } });
  }

  /** Keeps others from changing the fields of a tenant until the transaction ends, and reads them. */
  async hold(manager: EntityManager, tenantId: string): Promise<DeviceField[]> {
    await lockNamesUntilCommit(manager, NamedAdvisoryLock.OwnerTexts, [`device_fields:${tenantId}`]);
    return this.list(manager, tenantId);
  }

  /** Keeps those of the fields that a tenant has from being deleted until the transaction ends. */
  async keep(manager: EntityManager, tenantId: string, ids: readonly string[]): Promise<void> {
    await manager.query('SELECT FROM device_fields WHERE tenant_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR KEY SHARE', [
      tenantId,
      ids,
    ]);
  }

  /** Gives the fields of a tenant the order of the ids. */
  async arrange(manager: EntityManager, tenantId: string, ids: readonly string[]): Promise<void> {
    await manager.query(
      `UPDATE device_fields field SET position = ordered.place - 1
       FROM unnest($2::uuid[]) WITH ORDINALITY AS ordered (id, place)
       WHERE field.tenant_id = $1 AND field.id = ordered.id AND field.position <> ordered.place - 1`,
      [tenantId, ids],
    );
  }

  /** Removes the values of a field from at most `limit` devices, and returns the number of them. */
  async removeValues(manager: EntityManager, tenantId: string, fieldId: string, limit: number): Promise<number> {
    const [{ count }] = await manager.query<[{ count: number }]>(
      `WITH removed AS (
         DELETE FROM device_field_values WHERE (device_id, field_id) IN (
           SELECT held.device_id, held.field_id FROM device_field_values held
           JOIN device_fields field ON field.id = held.field_id
           WHERE field.tenant_id = $1 AND field.id = $2 LIMIT $3)
         RETURNING 1)
       SELECT count(*)::integer AS count FROM removed`,
      [tenantId, fieldId, limit],
    );
    return count;
  }
}
