import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Permission } from '../../access/authorization/permissions/permission.js';

/** Most administrators of the server that a notice goes to. */
const MAXIMUM_ADMINISTRATORS = 50;

/** Users who hold the permission $1 on the server, directly or through a group, and have no Deny of it there. */
const SERVER_ADMINISTRATORS = `
  WITH of_server AS (
    SELECT coalesce(m.user_id, a.principal_id) AS user_id, a.effect
    FROM permission_assignments a LEFT JOIN user_group_members m ON a.principal_kind = 'UserGroup' AND m.user_group_id = a.principal_id
    WHERE a.permission_name = $1 AND a.is_enabled AND a.scope_kind = 'Server'
      AND (a.principal_kind = 'User' OR (a.principal_kind = 'UserGroup' AND m.user_id IS NOT NULL)))
  SELECT u.email FROM users u
  WHERE u.account_type = 'User' AND u.suspended_at IS NULL AND u.email IS NOT NULL
    AND EXISTS (SELECT 1 FROM of_server s WHERE s.user_id = u.id AND s.effect = 'Allow')
    AND NOT EXISTS (SELECT 1 FROM of_server s WHERE s.user_id = u.id AND s.effect = 'Deny')
  ORDER BY u.id LIMIT $2`;

/** E-mail addresses of users. */
@Injectable()
export class RecipientsRepository {
  /** The address of a user, or null when there is none. */
  async addressOf(manager: EntityManager, userId: string): Promise<string | null> {
    const [user] = await manager.query<{ email: string | null }[]>('SELECT email FROM users WHERE id = $1', [userId]);
    return user?.email ?? null;
  }

  /** The addresses of the users who may change the settings of the server. */
  async serverAdministrators(manager: EntityManager): Promise<readonly string[]> {
    const parameters = [Permission.ServerSettingsWrite.name, MAXIMUM_ADMINISTRATORS];
    return (await manager.query<{ email: string }[]>(SERVER_ADMINISTRATORS, parameters)).map(({ email }) => email);
  }
}
