import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { mapPages, pagesOf, type Pages } from '../../../platform/common/resources/pages.js';
import { readRows } from '../../../platform/database/queries/read-rows.js';
import type { MadeThingDto } from './made-thing.dto.js';

interface ListedObject {
  readonly kind: string;
  readonly id: string;
  readonly name: string | null;
  readonly holder_id: string | null;
  readonly created_at: Date;
  /** The time of creation as PostgreSQL writes it, which is finer than a Date. */
  readonly list_key: string;
}

/** Objects created by the principal $2 in the tenant $1 that only the change log records, with the creating action. */
const LOGGED = `
  SELECT DISTINCT l.action_type, l.target_id FROM authorization_change_logs l
  WHERE l.actor_principal_id = $2 AND l.owning_tenant_id = $1 AND l.action_type IN (
    'user-created', 'service-account-created', 'service-account-credential-created', 'personal-access-token-created', 'logon-token-created')`;

/** Objects created by the principal $2 in the tenant $1 that still exist, newest first, after the position ($3, $4). */
const CREATED_BY = `
  WITH logged AS MATERIALIZED (${LOGGED}),
  created AS (
    SELECT 'User' AS kind, u.id, u.user_name AS name, NULL::uuid AS holder_id, u.created_at
      FROM logged l JOIN users u ON u.id = l.target_id AND u.tenant_id = $1 WHERE l.action_type = 'user-created'
    UNION ALL
    SELECT 'ServiceAccount', s.id, s.name, NULL, s.created_at
      FROM logged l JOIN service_accounts s ON s.id = l.target_id AND s.tenant_id = $1 WHERE l.action_type = 'service-account-created'
    UNION ALL
    SELECT 'ServiceAccountCredential', c.id, c.name, c.service_account_id, c.created_at
      FROM logged l JOIN service_account_credentials c ON c.id = l.target_id
      JOIN service_accounts s ON s.id = c.service_account_id AND s.tenant_id = $1
      WHERE l.action_type = 'service-account-credential-created' AND c.revoked_at IS NULL
    UNION ALL
    SELECT 'PersonalAccessToken', t.id, t.name, t.user_id, t.created_at
      FROM logged l JOIN personal_access_tokens t ON t.id = l.target_id JOIN users u ON u.id = t.user_id AND u.tenant_id = $1
      WHERE l.action_type = 'personal-access-token-created' AND t.revoked_at IS NULL
    UNION ALL
    SELECT 'LogonToken', t.id, NULL, t.user_id, t.created_at
      FROM logged l JOIN logon_tokens t ON t.id = l.target_id AND t.tenant_id = $1 WHERE l.action_type = 'logon-token-created'
    UNION ALL
    SELECT 'InstallerKey', k.id, k.friendly_name, NULL, k.created_at FROM installer_keys k WHERE k.tenant_id = $1 AND k.creator_id = $2
    UNION ALL
    SELECT 'PermissionAssignment', a.id, a.permission_name, a.principal_id, a.created_at
      FROM permission_assignments a WHERE a.owning_tenant_id = $1 AND a.created_by_principal_id = $2
  )
  SELECT kind, id, name, holder_id, created_at, created_at::text AS list_key FROM created
  WHERE $3::uuid IS NULL OR (created_at, id) < ($4::timestamptz, $3)
  ORDER BY created_at DESC, id DESC LIMIT $5`;

/** Finds what a principal has created that gives rights to others, or to anyone who knows a secret. */
@Injectable()
export class CreatedObjectsRepository {
  /** Lists what a principal has created in a tenant and what still exists of it, newest first. */
  list(manager: EntityManager, tenantId: string, principalId: string): Pages<MadeThingDto> {
    const pages = pagesOf<ListedObject>((after, limit) =>
      readRows(manager, CREATED_BY, [tenantId, principalId, after?.id, after?.list_key, limit]),
    );
    return mapPages(pages, ({ kind, id, name, holder_id, created_at }) => ({
      kind,
      id,
      name,
      holderId: holder_id,
      createdAt: created_at,
    }));
  }
}
