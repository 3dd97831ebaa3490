import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Permission } from '../../access/authorization/permissions/permission.js';

/** Most administrators of the server or of a tenant that a notice goes to. */
const MAXIMUM_ADMINISTRATORS = 50;

/**
 * Users who hold the permission $1 on the server, and with $3 on that tenant, directly or through a group, and have no Deny of it there.
 * With a tenant only its own users: others cannot open it.
 */
const ADMINISTRATORS = `
  WITH rules AS (
    SELECT coalesce(m.user_id, a.principal_id) AS user_id, a.effect
    FROM permission_assignments a LEFT JOIN user_group_members m ON a.principal_kind = 'UserGroup' AND m.user_group_id = a.principal_id
    WHERE a.permission_name = $1 AND a.is_enabled
      AND (a.scope_kind = 'Server' OR (a.scope_kind = 'Tenant' AND a.scope_id = $3::uuid))
      AND (a.principal_kind = 'User' OR (a.principal_kind = 'UserGroup' AND m.user_id IS NOT NULL)))
  SELECT u.email FROM users u
  WHERE u.account_type = 'User' AND u.suspended_at IS NULL AND u.email IS NOT NULL AND ($3::uuid IS NULL OR u.tenant_id = $3::uuid)
    AND EXISTS (SELECT 1 FROM rules r WHERE r.user_id = u.id AND r.effect = 'Allow')
    AND NOT EXISTS (SELECT 1 FROM rules r WHERE r.user_id = u.id AND r.effect = 'Deny')
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
  serverAdministrators(manager: EntityManager): Promise<readonly string[]> {
    return administrators(manager, Permission.ServerSettingsWrite.name, null);
  }

  /** The addresses of the users of a tenant who may change its settings. */
  tenantAdministrators(manager: EntityManager, tenantId: string): Promise<readonly string[]> {
    return administrators(manager, Permission.TenantSettingsWrite.name, tenantId);
  }
}

async function administrators(manager: EntityManager, permission: string, tenantId: string | null): Promise<readonly string[]> {
  const found = await manager.query<{ email: string }[]>(ADMINISTRATORS, [permission, MAXIMUM_ADMINISTRATORS, tenantId]);
  return found.map(({ email }) => email);
}
