import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';

import { newGuid } from '../../platform/common/identifiers/guid.js';
import { User, UserAccountType } from './user.entity.js';
import { DISPLAY_NAME } from './users.repository.js';

const SET_DISPLAY_NAME = `
  INSERT INTO user_preferences (id, principal_id, name, value) VALUES ($1, $2, $3, $4)
  ON CONFLICT (principal_id, name) DO UPDATE SET value = EXCLUDED.value`;

/** Skips locked users: they are being signed in, so they are not inactive. Suspended ones stay, so that no link lets them in as new users. */
const LOCK_INACTIVE = `
  SELECT u.id FROM users u
  WHERE u.account_type = 'ExternalUser' AND u.suspended_at IS NULL AND COALESCE(u.last_login, u.created_at) < $1
    AND NOT EXISTS (SELECT 1 FROM logon_tokens t WHERE t.user_id = u.id AND t.consumed_at IS NULL AND t.expires_at > $2)
  ORDER BY u.id LIMIT $3 FOR UPDATE OF u SKIP LOCKED`;

/** Reads and writes external users. */
@Injectable()
export class ExternalUsersRepository {
  /** Checks that a user who is not external has the name, anywhere on the server. */
  isTakenByPerson(manager: EntityManager, normalizedUserName: string): Promise<boolean> {
    return manager.exists(User, { where: { normalizedUserName, accountType: UserAccountType.User } });
  }

  /** The external user with exactly this name in the tenant, locked until the transaction ends; null when there is none. */
  hold(manager: EntityManager, tenantId: string, userName: string): Promise<User | null> {
    const where = { tenantId, normalizedUserName: userName, accountType: UserAccountType.ExternalUser };
    return manager.findOne(User, { where, lock: { mode: 'for_key_share' } });
  }

  /** Adds a user; false when the tenant already has it, even if another transaction added it at the same time. */
  async insert(manager: EntityManager, user: User): Promise<boolean> {
    const result = await manager.createQueryBuilder().insert().into(User).values(user).orIgnore().returning('id').execute();
    return Array.isArray(result.raw) && result.raw.length > 0;
  }

  /** Stores the display name of a user. */
  async setDisplayName(manager: EntityManager, userId: string, displayName: string): Promise<void> {
    await manager.query(SET_DISPLAY_NAME, [newGuid(), userId, DISPLAY_NAME, displayName]);
  }

  /** External users who have not signed in since an instant and have no usable logon token, locked for deletion. */
  async lockInactive(manager: EntityManager, since: Date, now: Date, limit: number): Promise<User[]> {
    const rows = await manager.query<{ id: string }[]>(LOCK_INACTIVE, [since, now, limit]);
    return rows.length === 0 ? [] : manager.find(User, { where: { id: In(rows.map(({ id }) => id)) } });
  }
}
