import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { mapPages, pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import type { DeviceGroupDto, DeviceGroupMemberDto } from './device-group.dto.js';

/** Counts the members of all groups of a page in one pass. Counting per group takes a minute when one of many groups is large. */
const LIST = `
  WITH page AS MATERIALIZED (
    SELECT g.id, g.name, g.description, g.created_at FROM device_groups g
    WHERE g.tenant_id = $1 AND ($2::text IS NULL OR g.name > $2) ORDER BY g.name LIMIT $3)
  SELECT p.id, p.name, p.description, p.created_at AS "createdAt", COALESCE(c.members, 0) AS "memberCount"
  FROM page p LEFT JOIN (
    SELECT m.device_group_id, count(*)::integer AS members FROM device_group_members m
    WHERE m.device_group_id IN (SELECT id FROM page) GROUP BY m.device_group_id
  ) c ON c.device_group_id = p.id ORDER BY p.name`;

/** Sorted like an index of devices. Otherwise each page would sort all members of a large group. */
const MEMBERS = `
  SELECT d.id, d.name, NULLIF(btrim(d.alias), '') AS alias, d.created_at::text AS list_key,
         (SELECT c.name FROM customers c WHERE c.id = d.customer_id) AS customer_name
  FROM devices d
  WHERE d.tenant_id = $1 AND EXISTS (SELECT 1 FROM device_group_members m WHERE m.device_group_id = $2 AND m.device_id = d.id)
    AND ($3::uuid IS NULL OR (lower(d.name), d.created_at, d.id) > (lower($4), $5::timestamptz, $3))
  ORDER BY lower(d.name), d.created_at, d.id LIMIT $6`;

interface ListedMember {
  readonly id: string;
  readonly name: string;
  readonly alias: string | null;
  readonly customer_name: string | null;
  /** The creation time as PostgreSQL writes it, which is more precise than a Date. */
  readonly list_key: string;
}

/** Reads device groups with their members, and writes memberships. */
@Injectable()
export class DeviceGroupsRepository {
  /** The device groups of a tenant, by name. */
  list(manager: EntityManager, tenantId: string): Pages<DeviceGroupDto> {
    return pagesOf<DeviceGroupDto>((after, limit) => readRows(manager, LIST, [tenantId, after?.name, limit]));
  }

  /** The members of a tenant's group, by device name regardless of case. */
  members(manager: EntityManager, tenantId: string, groupId: string): Pages<DeviceGroupMemberDto> {
    const pages = pagesOf<ListedMember>((after, limit) =>
      readRows(manager, MEMBERS, [tenantId, groupId, after?.id, after?.name, after?.list_key, limit]),
    );
    return mapPages(pages, ({ id, name, alias, customer_name }) => ({
      deviceId: id,
      deviceName: name,
      alias,
      customerName: customer_name,
    }));
  }

  /** The number of members of a group. */
  async memberCount(manager: EntityManager, groupId: string): Promise<number> {
    const [{ count }] = await manager.query<[{ count: number }]>(
      'SELECT count(*)::integer AS count FROM device_group_members WHERE device_group_id = $1',
      [groupId],
    );
    return count;
  }

  /** The device ids of a group's members, at most `limit`. */
  async memberIds(manager: EntityManager, groupId: string, limit: number): Promise<string[]> {
    const rows = await manager.query<MemberRow[]>(
      'SELECT device_id FROM device_group_members WHERE device_group_id = $1 ORDER BY device_id LIMIT $2',
      [groupId, limit],
    );
    return rows.map(idOf);
  }

  /** Those of the devices that are members of the group. */
  async membersAmong(manager: EntityManager, groupId: string, deviceIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await manager.query<MemberRow[]>(
      'SELECT device_id FROM device_group_members WHERE device_group_id = $1 AND device_id = ANY($2::uuid[])',
      [groupId, deviceIds],
    );
    return new Set(rows.map(idOf));
  }

  /** Adds devices to a group. */
  async add(manager: EntityManager, groupId: string, deviceIds: readonly string[]): Promise<void> {
    await manager.query('INSERT INTO device_group_members (device_group_id, device_id) SELECT $1, unnest($2::uuid[])', [
      groupId,
      deviceIds,
    ]);
  }

  /** Removes devices from a group and returns their ids. Ids that are not members are ignored. */
  async remove(manager: EntityManager, groupId: string, deviceIds: readonly string[]): Promise<string[]> {
    const rows = await manager.query<MemberRow[]>(
      `WITH removed AS (
         DELETE FROM device_group_members WHERE device_group_id = $1 AND device_id = ANY($2::uuid[]) RETURNING device_id
       ) SELECT device_id FROM removed ORDER BY device_id`,
      [groupId, deviceIds],
    );
    return rows.map(idOf);
  }
}

interface MemberRow {
  readonly device_id: string;
}

function idOf({ device_id }: MemberRow): string {
  return device_id;
}
