import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { LIST_LIMIT } from '../common/list-limit.js';
import type { UserGroupDto, UserGroupMemberDto } from './user-group.dto.js';

interface ListedGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly created_at: Date;
  readonly member_count: number;
}

interface ListedMember {
  readonly user_id: string;
  readonly user_name: string;
  readonly display_name: string | null;
  readonly last_login: Date | null;
}

const LIST = `
  SELECT g.id, g.name, g.description, g.created_at,
         (SELECT count(*)::integer FROM user_group_members m WHERE m.user_group_id = g.id) AS member_count
  FROM user_groups g WHERE g.tenant_id = $1 ORDER BY g.name, g.id LIMIT $2`;

const MEMBERS = `
  SELECT u.id AS user_id, u.user_name, u.last_login, p.value AS display_name
  FROM user_group_members m JOIN users u ON u.id = m.user_id
  LEFT JOIN user_preferences p ON p.principal_id = u.id AND p.name = 'user-display-name'
  WHERE m.user_group_id = $1 ORDER BY u.user_name, u.id LIMIT $2`;

const HOLD_USERS = 'SELECT id FROM users WHERE tenant_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR KEY SHARE';

const ADD = `
  INSERT INTO user_group_members (user_group_id, user_id) SELECT $1, unnest($2::uuid[])
  ON CONFLICT DO NOTHING RETURNING user_id`;

const REMOVE = `
  WITH removed AS (DELETE FROM user_group_members WHERE user_group_id = $1 AND user_id = ANY($2::uuid[]) RETURNING user_id)
  SELECT user_id FROM removed`;

/** Reads groups with their members, and writes memberships. */
@Injectable()
export class UserGroupsRepository {
  /** The groups of a tenant by name. */
  async list(manager: EntityManager, tenantId: string): Promise<UserGroupDto[]> {
    const rows = await manager.query<ListedGroup[]>(LIST, [tenantId, LIST_LIMIT]);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      createdAt: row.created_at,
      memberCount: row.member_count,
    }));
  }

  /** The members of a group by user name. */
  async members(manager: EntityManager, groupId: string): Promise<UserGroupMemberDto[]> {
    const rows = await manager.query<ListedMember[]>(MEMBERS, [groupId, LIST_LIMIT]);
    return rows.map((row) => ({
      userId: row.user_id,
      userName: row.user_name,
      displayName: row.display_name,
      lastLogin: row.last_login,
    }));
  }

  /** How many of the users the tenant has; those stay until the transaction ends. */
  async holdUsers(manager: EntityManager, tenantId: string, userIds: readonly string[]): Promise<number> {
    return (await manager.query<object[]>(HOLD_USERS, [tenantId, userIds])).length;
  }

  /** Makes users members and answers which of them were not. */
  async add(manager: EntityManager, groupId: string, userIds: readonly string[]): Promise<string[]> {
    return idsOf(await manager.query<MemberRow[]>(ADD, [groupId, userIds]));
  }

  /** Ends memberships and answers whose. */
  async remove(manager: EntityManager, groupId: string, userIds: readonly string[]): Promise<string[]> {
    return idsOf(await manager.query<MemberRow[]>(REMOVE, [groupId, userIds]));
  }
}

interface MemberRow {
  readonly user_id: string;
}

function idsOf(rows: readonly MemberRow[]): string[] {
  return rows.map(({ user_id }) => user_id).sort();
}
