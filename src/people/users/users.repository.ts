import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { mapPages, pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import type { UserBelongings } from './user-belongings.js';
import type { UserResponseDto } from './user.dto.js';
import { User, UserAccountType } from './user.entity.js';

interface ListedUser {
  readonly id: string;
  readonly user_name: string;
  readonly email: string | null;
  readonly created_at: Date;
  readonly permissions: string[];
  readonly display_name: string | null;
}

/** The name of the preference that holds a user's display name. */
export const DISPLAY_NAME = 'user-display-name';

const LIST = `
  SELECT u.id, u.user_name, u.email, u.created_at, p.value AS display_name,
         ARRAY(SELECT DISTINCT a.permission_name FROM permission_assignments a
               WHERE a.principal_kind = 'User' AND a.principal_id = u.id AND a.is_enabled AND a.effect = 'Allow' ORDER BY 1) AS permissions
  FROM users u LEFT JOIN user_preferences p ON p.principal_id = u.id AND p.name = '${DISPLAY_NAME}'
  WHERE u.tenant_id = $1 AND ($2::uuid IS NULL OR (u.user_name, u.id) > ($3, $2)) ORDER BY u.user_name, u.id LIMIT $4`;

const SHOWN_NAME = `
  SELECT COALESCE(p.value, u.user_name) AS name
  FROM users u LEFT JOIN user_preferences p ON p.principal_id = u.id AND p.name = '${DISPLAY_NAME}' WHERE u.id = $1`;

const BELONGINGS = `
  SELECT (SELECT COALESCE(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) ORDER BY t.id), '[]')
          FROM personal_access_tokens t WHERE t.user_id = u.id) AS "personalAccessTokens",
         ARRAY(SELECT m.user_group_id FROM user_group_members m WHERE m.user_id = u.id ORDER BY 1) AS "userGroupIds",
         (SELECT i.id FROM invites i WHERE i.user_id = u.id LIMIT 1) AS "inviteId"
  FROM users u WHERE u.id = $1`;

/** $1 is the user, $2 the tenant. */
const END_INVITE = `
  DELETE FROM invites WHERE user_id = $1 AND tenant_id = $2
  RETURNING id, invitee_email AS "inviteeEmail", user_id AS "userId", created_at AS "createdAt"`;

/** An invite that is over, in the form of the change log with its id. */
interface EndedInvite {
  readonly id: string;
  readonly inviteeEmail: string;
  readonly userId: string;
  readonly createdAt: Date;
}

/** Reads and writes users. Every read is limited to one tenant, except checks of values that are unique on the whole server. */
@Injectable()
export class UsersRepository {
  /** The users of a tenant by name, in the form of the API. */
  list(manager: EntityManager, tenantId: string): Pages<UserResponseDto> {
    const pages = pagesOf<ListedUser>((after, limit) => readRows(manager, LIST, [tenantId, after?.id, after?.user_name, limit]));
    return mapPages(pages, (row) => ({
      id: row.id,
      userName: row.user_name,
      email: row.email,
      createdAt: row.created_at,
      permissions: row.permissions,
      displayName: row.display_name,
    }));
  }

  /** Checks that the tenant exists, and that its deletion has not begun. */
  async tenantExists(manager: EntityManager, tenantId: string): Promise<boolean> {
    return (await readRows(manager, 'SELECT 1 FROM tenants WHERE id = $1 AND deleted_at IS NULL', [tenantId])).length > 0;
  }

  /** Checks that the tenant exists. If so, it is locked until the transaction ends. */
  async holdTenant(manager: EntityManager, tenantId: string): Promise<boolean> {
    return (
      (await manager.query<object[]>('SELECT 1 FROM tenants WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE', [tenantId])).length > 0
    );
  }

  /** The display name of a user, or else the user name; null when the user is gone. */
  async shownNameOf(manager: EntityManager, id: string): Promise<string | null> {
    const [row] = await manager.query<{ name: string }[]>(SHOWN_NAME, [id]);
    return row?.name ?? null;
  }

  /** Deletes the invite for which a user of the tenant waits; null without one. */
  async endInvite(manager: EntityManager, tenantId: string, userId: string): Promise<EndedInvite | null> {
    return (await readRows<EndedInvite>(manager, END_INVITE, [userId, tenantId])).at(0) ?? null;
  }

  /** Checks that a user anywhere on the server has the e-mail address. */
  hasEmail(manager: EntityManager, normalizedEmail: string): Promise<boolean> {
    return manager.exists(User, { where: { normalizedEmail } });
  }

  /** Checks that a person anywhere on the server has the name. */
  hasName(manager: EntityManager, normalizedUserName: string): Promise<boolean> {
    return manager.exists(User, { where: { normalizedUserName, accountType: UserAccountType.User } });
  }

  /** Adds a user; false when the name is taken, even if another transaction took it at the same time. */
  async insert(manager: EntityManager, user: User): Promise<boolean> {
    const result = await manager.createQueryBuilder().insert().into(User).values(user).orIgnore().returning('id').execute();
    return Array.isArray(result.raw) && result.raw.length > 0;
  }

  /** Returns the objects that are deleted with a user. Locks the user, so that nothing is added until then. */
  async belongings(manager: EntityManager, userId: string): Promise<UserBelongings> {
    const [belongings] = await manager.query<UserBelongings[]>(BELONGINGS, [userId]);
    return belongings;
  }
}
