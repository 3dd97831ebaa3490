import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { SqlCondition } from '../../access/authorization/evaluation/device-scope.js';
import { pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import { Tag } from './tag.entity.js';

/** A tag without its devices. */
export type ListedTag = Pick<Tag, 'id' | 'name' | 'type'>;

/** A tag with the first of its devices, in order of their ids. */
export interface LinkedTag extends ListedTag {
  readonly firstDeviceIds: readonly string[];
}

/** Devices of one tag that one query reads. */
const LINKS_PAGE_SIZE = 500;
/** Tags that one query reads together with their first devices. Smaller than usual, because each tag may have many. */
const LINKED_TAGS_PAGE_SIZES = { first: 50, next: 50 };

const LIST = `
  SELECT t.id, t.name, t.type FROM tags t
  WHERE t.tenant_id = $1 AND ($2::text IS NULL OR (lower(t.name), t.name) > (lower($2), $2))
  ORDER BY lower(t.name), t.name LIMIT $3`;

/** Reads tags with their devices, and writes the links between them. */
@Injectable()
export class TagsRepository {
  /** The tags of a tenant by name regardless of case, without their devices. */
  list(manager: EntityManager, tenantId: string): Pages<ListedTag> {
    return pagesOf<ListedTag>((after, limit) => readRows(manager, LIST, [tenantId, after?.name, limit]));
  }

  /** The same tags, each with its first devices that meet the condition, which is on the alias `d` and asked for each page. */
  listWithLinks(manager: EntityManager, tenantId: string, readable: () => Promise<SqlCondition>): Pages<LinkedTag> {
    const read = async (after: LinkedTag | null, size: number): Promise<LinkedTag[]> => {
      const { sql, parameters } = await readable();
      const first = parameters.length + 1;
      const [tenant, name, limit, links] = [first, first + 1, first + 2, first + 3].map((place) => `$${place}`);
      const statement = `
      SELECT t.id, t.name, t.type, ARRAY(
        SELECT l.device_id FROM device_tags l JOIN devices d ON d.id = l.device_id
        WHERE l.tag_id = t.id AND ${sql} ORDER BY l.device_id LIMIT ${links}) AS "firstDeviceIds"
      FROM tags t
      WHERE t.tenant_id = ${tenant} AND (${name}::text IS NULL OR (lower(t.name), t.name) > (lower(${name}), ${name}))
      ORDER BY lower(t.name), t.name LIMIT ${limit}`;
      return readRows(manager, statement, [...parameters, tenantId, after?.name, size, LINKS_PAGE_SIZE]);
    };
    return pagesOf(read, LINKED_TAGS_PAGE_SIZES);
  }

  /** One tag of a tenant. */
  find(manager: EntityManager, tenantId: string, id: string): Promise<ListedTag | null> {
    return manager.findOne(Tag, { select: { id: true, name: true, type: true }, where: { id, tenantId } });
  }

  /**
   * The devices of a tag that meet the condition, which is asked for each page, in order of their ids. `first` is the first page, if it was
   * read already.
   */
  linksOf(manager: EntityManager, tagId: string, readable: () => Promise<SqlCondition>, first?: readonly string[]): Pages<string> {
    const read = async (after: string | null, limit: number): Promise<readonly string[]> => {
      if (after === null && first !== undefined) return first;
      const { sql, parameters } = await readable();
      const place = parameters.length + 1;
      const statement = `
        SELECT l.device_id FROM device_tags l JOIN devices d ON d.id = l.device_id
        WHERE l.tag_id = $${place} AND ${sql} AND ($${place + 1}::uuid IS NULL OR l.device_id > $${place + 1})
        ORDER BY l.device_id LIMIT $${place + 2}`;
      const rows = await readRows<{ device_id: string }>(manager, statement, [...parameters, tagId, after, limit]);
      return rows.map(({ device_id }) => device_id);
    };
    return pagesOf(read, { first: LINKS_PAGE_SIZE, next: LINKS_PAGE_SIZE });
  }

  /** The number of devices that have a tag. */
  async deviceCount(manager: EntityManager, tagId: string): Promise<number> {
    const [{ count }] = await manager.query<[{ count: number }]>('SELECT count(*)::integer AS count FROM device_tags WHERE tag_id = $1', [
      tagId,
    ]);
    return count;
  }

  /** The ids of the devices that have a tag, at most `limit`. */
  async deviceIds(manager: EntityManager, tagId: string, limit: number): Promise<string[]> {
    const rows = await manager.query<{ device_id: string }[]>(
      'SELECT device_id FROM device_tags WHERE tag_id = $1 ORDER BY device_id LIMIT $2',
      [tagId, limit],
    );
    return rows.map(({ device_id }) => device_id);
  }

  /** Adds a tag to a device; false when the device already has it. */
  async link(manager: EntityManager, deviceId: string, tagId: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      'INSERT INTO device_tags (device_id, tag_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING tag_id',
      [deviceId, tagId],
    );
    return rows.length > 0;
  }

  /** Removes a tag from a device; false when the device does not have it. */
  async unlink(manager: EntityManager, deviceId: string, tagId: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `WITH removed AS (DELETE FROM device_tags WHERE device_id = $1 AND tag_id = $2 RETURNING tag_id) SELECT tag_id FROM removed`,
      [deviceId, tagId],
    );
    return rows.length > 0;
  }

  /** Removes a tag from those of the devices that have it, and returns their ids. */
  async unlinkAll(manager: EntityManager, deviceIds: readonly string[], tagId: string): Promise<string[]> {
    const rows = await manager.query<{ device_id: string }[]>(
      `WITH removed AS (DELETE FROM device_tags WHERE device_id = ANY($1::uuid[]) AND tag_id = $2 RETURNING device_id)
       SELECT device_id FROM removed ORDER BY device_id`,
      [deviceIds, tagId],
    );
    return rows.map(({ device_id }) => device_id);
  }
}
