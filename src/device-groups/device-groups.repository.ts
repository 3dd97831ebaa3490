import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { LIST_LIMIT } from '../common/list-limit.js';
import type { DeviceGroupDto, DeviceGroupMemberDto } from './device-group.dto.js';

/** Reads device groups with their members, and writes memberships. */
@Injectable()
export class DeviceGroupsRepository {
  /** A tenant's device groups by name. */
  list(manager: EntityManager, tenantId: string): Promise<DeviceGroupDto[]> {
    return manager.query<DeviceGroupDto[]>(
      `SELECT g.id, g.name, g.description, g.created_at AS "createdAt",
              count(m.device_id)::integer AS "memberCount"
       FROM device_groups g LEFT JOIN device_group_members m ON m.device_group_id = g.id
       WHERE g.tenant_id = $1 GROUP BY g.id ORDER BY g.name LIMIT $2`,
      [tenantId, LIST_LIMIT],
    );
  }

  /** The members of a group by device name. */
  members(manager: EntityManager, groupId: string): Promise<DeviceGroupMemberDto[]> {
    return manager.query<DeviceGroupMemberDto[]>(
      `SELECT d.id AS "deviceId", d.name AS "deviceName", NULLIF(btrim(d.alias), '') AS alias,
              (SELECT c.name FROM customers c WHERE c.id = d.customer_id) AS "customerName"
       FROM device_group_members m JOIN devices d ON d.id = m.device_id
       WHERE m.device_group_id = $1 ORDER BY d.name, d.id LIMIT $2`,
      [groupId, LIST_LIMIT],
    );
  }

  /** How many members a group has. */
  async memberCount(manager: EntityManager, groupId: string): Promise<number> {
    const [{ count }] = await manager.query<[{ count: number }]>(
      'SELECT count(*)::integer AS count FROM device_group_members WHERE device_group_id = $1',
      [groupId],
    );
    return count;
  }

  /** The device ids of a group's members, so many at most. */
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

  /** Makes devices members. */
  async add(manager: EntityManager, groupId: string, deviceIds: readonly string[]): Promise<void> {
    await manager.query('INSERT INTO device_group_members (device_group_id, device_id) SELECT $1, unnest($2::uuid[])', [
      groupId,
      deviceIds,
    ]);
  }

  /** Takes memberships away and tells of which devices; ids that are no members are ignored. */
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
