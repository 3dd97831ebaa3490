import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { SqlCondition } from '../../authorization/evaluation/device-scope.js';
import type { QueriedPrincipalKind } from '../effective/effective-permission.dto.js';
import type { PrincipalReference, ScopeTargetKind } from '../assignment.js';
import type { PermissionAssignmentDto } from '../permission-assignment.dto.js';

/** An assignment that a principal holds, itself or through a group. */
export interface HeldRow extends PermissionAssignmentDto {
  readonly owningTenantId: string | null;
}

export interface NamedRow {
  readonly id: string;
  readonly name: string;
}

export interface NamedPrincipal {
  readonly principalKind: QueriedPrincipalKind;
  readonly principalId: string;
  readonly name: string;
}

/** The assignments in the tenant $1 of the principal ($2, $3), and of the groups that a user is in. Its own come first. */
const HELD = `
  WITH holders AS (
    SELECT $2::varchar AS kind, $3::uuid AS id, 0 AS place
    UNION ALL
    SELECT 'UserGroup', g.id, 1 FROM user_group_members m JOIN user_groups g ON g.id = m.user_group_id
    WHERE $2 = 'User' AND m.user_id = $3 AND g.tenant_id = $1
  )
  SELECT a.id, a.principal_kind AS "principalKind", a.principal_id AS "principalId", a.permission_name AS "permissionName", a.effect,
         a.scope_kind AS "scopeKind", a.scope_id AS "scopeId", a.notes, a.is_enabled AS "isEnabled", a.created_at AS "createdAt",
         a.owning_tenant_id AS "owningTenantId"
  FROM holders h JOIN permission_assignments a ON a.principal_kind = h.kind AND a.principal_id = h.id
  WHERE a.owning_tenant_id = $1 OR a.owning_tenant_id IS NULL
  ORDER BY h.place, a.permission_name, a.scope_kind, a.id LIMIT $4`;

const GROUPS_OF_USER = `
  SELECT g.id, g.name FROM user_group_members m JOIN user_groups g ON g.id = m.user_group_id
  WHERE m.user_id = $2 AND g.tenant_id = $1 ORDER BY lower(g.name), g.id LIMIT $3`;

const named = (table: string): string => `SELECT s.id, s.name FROM ${table} s WHERE s.tenant_id = $1 AND s.id = ANY($2::uuid[])`;

/** The names of those of the ids $2 that the tenant $1 has. */
const NAMES: Readonly<Record<Exclude<ScopeTargetKind, 'Device'>, string>> = {
  CustomerTenant: named('customers'),
  DeviceGroup: named('device_groups'),
  UserGroup: named('user_groups'),
};

/** Principals of the tenant $1 whose names have the text $2, of the kinds $3, and the one with the id $4. */
const PRINCIPALS = `
  WITH principals AS (
    SELECT 'User' AS kind, u.id, COALESCE(NULLIF(p.value, ''), u.user_name) AS name, u.user_name || ' ' || COALESCE(u.email, '') AS also
    FROM users u LEFT JOIN user_preferences p ON p.principal_id = u.id AND p.name = 'user-display-name' WHERE u.tenant_id = $1
    UNION ALL SELECT 'UserGroup', g.id, g.name, '' FROM user_groups g WHERE g.tenant_id = $1
    UNION ALL SELECT 'ServiceAccount', s.id, s.name, '' FROM service_accounts s WHERE s.tenant_id = $1
  )
  SELECT kind AS "principalKind", id AS "principalId", name FROM principals
  WHERE kind = ANY($3::text[]) AND ($2::text IS NULL OR position(lower($2) IN lower(name || ' ' || also)) > 0 OR id = $4)
  ORDER BY (id = $4) IS TRUE DESC, lower(name), id LIMIT $5`;

/** Reads what principals hold, and the names beside it, within one tenant. */
@Injectable()
export class HeldPermissionsRepository {
  /** The assignments of a principal and of its groups that belong to the tenant or to the server. */
  held(manager: EntityManager, tenantId: string, { principalKind, principalId }: PrincipalReference, limit: number): Promise<HeldRow[]> {
    return manager.query<HeldRow[]>(HELD, [tenantId, principalKind, principalId, limit]);
  }

  /** The groups of the tenant that a user is in, by name. */
  groupsOf(manager: EntityManager, tenantId: string, userId: string, limit: number): Promise<NamedRow[]> {
    return manager.query<NamedRow[]>(GROUPS_OF_USER, [tenantId, userId, limit]);
  }

  /** The names of those of the ids that the tenant has. */
  names(manager: EntityManager, tenantId: string, kind: Exclude<ScopeTargetKind, 'Device'>, ids: readonly string[]): Promise<NamedRow[]> {
    return manager.query<NamedRow[]>(NAMES[kind], [tenantId, ids]);
  }

  /** The names of those of the devices that the tenant has and that meet the condition, which is on the alias `d` from parameter 3 on. */
  deviceNames(manager: EntityManager, tenantId: string, ids: readonly string[], { sql, parameters }: SqlCondition): Promise<NamedRow[]> {
    return manager.query<NamedRow[]>(
      `SELECT d.id, COALESCE(NULLIF(d.alias, ''), d.name) AS name FROM devices d WHERE d.tenant_id = $1 AND d.id = ANY($2::uuid[]) AND ${sql}`,
      [tenantId, ids, ...parameters],
    );
  }

  /** The first principals of some kinds by name, and the one with the id. */
  principals(
    manager: EntityManager,
    tenantId: string,
    search: string | null,
    kinds: readonly QueriedPrincipalKind[],
    principalId: string | null,
    limit: number,
  ): Promise<NamedPrincipal[]> {
    return manager.query<NamedPrincipal[]>(PRINCIPALS, [tenantId, search, kinds, principalId, limit]);
  }
}
