import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { SqlCondition } from '../authorization/device-scope.js';
import { LIST_LIMIT } from '../common/list-limit.js';
import type { TagResponseDto } from './tag.dto.js';

const NO_LINKS = `'{}'::uuid[]`;

/** Reads tags with the devices that carry them, and writes the links. */
@Injectable()
export class TagsRepository {
  /** A tenant's tags by name, whatever its case, without the devices that carry them. */
  list(manager: EntityManager, tenantId: string): Promise<TagResponseDto[]> {
    return manager.query<TagResponseDto[]>(
      `SELECT t.id, t.name, t.type, ${NO_LINKS} AS "deviceIds" FROM tags t
       WHERE t.tenant_id = $1 ORDER BY lower(t.name), t.name LIMIT $2`,
      [tenantId, LIST_LIMIT],
    );
  }

  /** The same tags, each with the devices that carry it and meet the condition, which is on the alias `d`; read in one pass. */
  listWithLinks(manager: EntityManager, tenantId: string, { sql, parameters }: SqlCondition): Promise<TagResponseDto[]> {
    const first = parameters.length + 1;
    return manager.query<TagResponseDto[]>(
      `SELECT t.id, t.name, t.type, COALESCE(l.device_ids, ${NO_LINKS}) AS "deviceIds"
       FROM tags t
       LEFT JOIN (
         SELECT l.tag_id, array_agg(l.device_id ORDER BY l.device_id) AS device_ids
         FROM device_tags l JOIN devices d ON d.id = l.device_id
         WHERE d.tenant_id = $${first} AND ${sql} GROUP BY l.tag_id
       ) l ON l.tag_id = t.id
       WHERE t.tenant_id = $${first} ORDER BY lower(t.name), t.name LIMIT $${first + 1}`,
      [...parameters, tenantId, LIST_LIMIT],
    );
  }

  /** One tag of a tenant, with such devices. */
  async find(manager: EntityManager, tenantId: string, id: string, { sql, parameters }: SqlCondition): Promise<TagResponseDto | null> {
    const first = parameters.length + 1;
    const [tag] = await manager.query<TagResponseDto[]>(
      `SELECT t.id, t.name, t.type, ARRAY(
         SELECT l.device_id FROM device_tags l JOIN devices d ON d.id = l.device_id WHERE l.tag_id = t.id AND ${sql} ORDER BY l.device_id
       ) AS "deviceIds"
       FROM tags t WHERE t.tenant_id = $${first} AND t.id = $${first + 1}`,
      [...parameters, tenantId, id],
    );
    return tag ?? null;
  }

  /** How many devices carry a tag. */
  async deviceCount(manager: EntityManager, tagId: string): Promise<number> {
    const [{ count }] = await manager.query<[{ count: number }]>('SELECT count(*)::integer AS count FROM device_tags WHERE tag_id = $1', [
      tagId,
    ]);
    return count;
  }

  /** The ids of the devices that carry a tag, so many at most. */
  async deviceIds(manager: EntityManager, tagId: string, limit: number): Promise<string[]> {
    const rows = await manager.query<{ device_id: string }[]>(
      'SELECT device_id FROM device_tags WHERE tag_id = $1 ORDER BY device_id LIMIT $2',
      [tagId, limit],
    );
    return rows.map(({ device_id }) => device_id);
  }

  /** Puts a tag on a device; false when the device carries it already. */
  async link(manager: EntityManager, deviceId: string, tagId: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      'INSERT INTO device_tags (device_id, tag_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING tag_id',
      [deviceId, tagId],
    );
    return rows.length > 0;
  }

  /** Takes a tag off a device; false when the device does not carry it. */
  async unlink(manager: EntityManager, deviceId: string, tagId: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `WITH removed AS (DELETE FROM device_tags WHERE device_id = $1 AND tag_id = $2 RETURNING tag_id) SELECT tag_id FROM removed`,
      [deviceId, tagId],
    );
    return rows.length > 0;
  }

  /** Takes a tag off those of the devices that carry it, and tells which. */
  async unlinkAll(manager: EntityManager, deviceIds: readonly string[], tagId: string): Promise<string[]> {
    const rows = await manager.query<{ device_id: string }[]>(
      `WITH removed AS (DELETE FROM device_tags WHERE device_id = ANY($1::uuid[]) AND tag_id = $2 RETURNING device_id)
       SELECT device_id FROM removed ORDER BY device_id`,
      [deviceIds, tagId],
    );
    return rows.map(({ device_id }) => device_id);
  }
}
