import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { scopeKeysOf, type Resource } from '../../authorization/evaluation/rules.js';
import type { PermissionDefinition } from '../../authorization/permissions/permission.js';
import type { QueriedPrincipalKind } from '../effective/effective-permission.dto.js';

/** A principal that an Allow reaches, itself or through a group. The rules decide if it holds the permission. */
export interface PossibleHolder {
  readonly principalKind: QueriedPrincipalKind;
  readonly principalId: string;
  readonly name: string;
}

/** The principal after which a page begins. */
export type HolderPosition = Pick<PossibleHolder, 'principalId' | 'name'>;

/**
 * Those of the tenant $1 with an enabled Allow of $2 at one of the scopes $3, which contain the queried resource, after ($4, $5) by name.
 */
const POSSIBLE_HOLDERS = `
  WITH allowed AS (
    SELECT DISTINCT a.principal_kind AS kind, a.principal_id AS id FROM permission_assignments a
    WHERE a.permission_name = $2 AND a.is_enabled AND a.effect = 'Allow' AND (a.owning_tenant_id = $1 OR a.owning_tenant_id IS NULL)
      AND concat_ws(':', a.scope_kind, a.scope_id) = ANY($3::text[])
  ), holders AS (
    SELECT 'User' AS kind, u.id, u.user_name AS name FROM users u
    WHERE u.tenant_id = $1 AND (
      EXISTS (SELECT 1 FROM allowed WHERE allowed.kind = 'User' AND allowed.id = u.id)
      OR EXISTS (SELECT 1 FROM allowed JOIN user_group_members m ON allowed.kind = 'UserGroup' AND m.user_group_id = allowed.id
                 WHERE m.user_id = u.id))
    UNION ALL
    SELECT 'UserGroup', g.id, g.name FROM user_groups g JOIN allowed ON allowed.kind = 'UserGroup' AND allowed.id = g.id
    WHERE g.tenant_id = $1
    UNION ALL
    SELECT 'ServiceAccount', s.id, s.name FROM service_accounts s JOIN allowed ON allowed.kind = 'ServiceAccount' AND allowed.id = s.id
    WHERE s.tenant_id = $1
  )
  SELECT kind AS "principalKind", id AS "principalId", name FROM holders
  WHERE $4::text IS NULL OR (lower(name) COLLATE "C", id) > (lower($4) COLLATE "C", $5::uuid)
  ORDER BY lower(name) COLLATE "C", id LIMIT $6`;

/** Finds the principals that may hold a permission. */
@Injectable()
export class PermissionHoldersRepository {
  /** The next principals of the tenant, by name, that an Allow of the permission reaches on the resource. */
  possible(
    manager: EntityManager,
    tenantId: string,
    permission: PermissionDefinition,
    resource: Resource,
    after: HolderPosition | null,
    limit: number,
  ): Promise<PossibleHolder[]> {
    const parameters = [tenantId, permission.name, scopeKeysOf(resource), after?.name ?? null, after?.principalId ?? null, limit];
    return manager.query<PossibleHolder[]>(POSSIBLE_HOLDERS, parameters);
  }
}
