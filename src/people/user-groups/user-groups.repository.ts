import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { mapPages, pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
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

/** Counts the members of all groups of a page in one pass. */
const LIST = `
  WITH page AS MATERIALIZED (
    SELECT g.id, g.name, g.description, g.created_at FROM user_groups g
    WHERE g.tenant_id = $1 AND ($2::text IS NULL OR g.name > $2) ORDER BY g.name LIMIT $3)
  SELECT p.id, p.name, p.description, p.created_at, COALESCE(c.members, 0) AS member_count
  FROM page p LEFT JOIN (
    SELECT m.user_group_id, count(*)::integer AS members FROM user_group_members m
    WHERE m.user_group_id IN (SELECT id FROM page) GROUP BY m.user_group_id
  ) c ON c.user_group_id = p.id ORDER BY p.name`;

const MEMBERS = `
  SELECT u.id AS user_id, u.user_name, u.last_login, p.value AS display_name
  FROM users u LEFT JOIN user_preferences p ON p.principal_id = u.id AND p.name = 'user-display-name'
  WHERE u.tenant_id = $1 AND EXISTS (SELECT 1 FROM user_group_members m WHERE m.user_group_id = $2 AND m.user_id = u.id)
    AND ($3::uuid IS NULL OR (u.user_name, u.id) > ($4, $3))
  ORDER BY u.user_name, u.id LIMIT $5`;

const MEMBER_IDS = 'SELECT user_id FROM user_group_members WHERE user_group_id = $1';

const HOLD_USERS = 'SELECT id FROM users WHERE tenant_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR KEY SHARE';

const ADD = `
  INSERT INTO user_group_members (user_group_id, user_id) SELECT $1, unnest($2::uuid[])
  ON CONFLICT DO NOTHING RETURNING user_id`;

const REMOVE = `
  WITH removed AS (DELETE FROM user_group_members WHERE user_group_id = $1 AND user_id = ANY($2::uuid[]) RETURNING user_id)
  SELECT user_id FROM removed`;

/** Reads user groups with their members, and writes memberships. */
@Injectable()
export class UserGroupsRepository {
  /** The user groups of a tenant, by name. */
  list(manager: EntityManager, tenantId: string): Pages<UserGroupDto> {
    const pages = pagesOf<ListedGroup>((after, limit) => readRows(manager, LIST, [tenantId, after?.name, limit]));
    return mapPages(pages, (row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      createdAt: row.created_at,
      memberCount: row.member_count,
    }));
  }

  /** The members of a tenant's group, by user name. */
  members(manager: EntityManager, tenantId: string, groupId: string): Pages<UserGroupMemberDto> {
    const pages = pagesOf<ListedMember>((after, limit) =>
      readRows(manager, MEMBERS, [tenantId, groupId, after?.user_id, after?.user_name, limit]),
    );
    return mapPages(pages, (row) => ({
      userId: row.user_id,
      userName: row.user_name,
      displayName: row.display_name,
      lastLogin: row.last_login,
    }));
  }

  /** The ids of all members of a group. */
  async memberIds(manager: EntityManager, groupId: string): Promise<string[]> {
    return idsOf(await manager.query<MemberRow[]>(MEMBER_IDS, [groupId]));
  }

  /** Returns the number of the given users that the tenant has. Those are locked until the transaction ends. */
  async holdUsers(manager: EntityManager, tenantId: string, userIds: readonly string[]): Promise<number> {
    return (await manager.query<object[]>(HOLD_USERS, [tenantId, userIds])).length;
  }

  /** Adds users to a group and returns the ids of those who were not members. */
  async add(manager: EntityManager, groupId: string, userIds: readonly string[]): Promise<string[]> {
    return idsOf(await manager.query<MemberRow[]>(ADD, [groupId, userIds]));
  }

  /** Removes users from a group and returns the ids of those who were members. */
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
