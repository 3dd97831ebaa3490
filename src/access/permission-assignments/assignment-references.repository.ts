import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { Resource } from '../authorization/evaluation/rules.js';
import { PermissionPrincipalKind, PermissionScopeKind } from '../authorization/permissions/permission.js';
import {
  PRINCIPAL_KINDS,
  principalKey,
  SCOPE_TARGET_KINDS,
  scopeKey,
  type AssignmentPrincipal,
  type AssignmentScope,
  type PrincipalReference,
  type ScopeTargetKind,
} from './assignment.js';

interface PrincipalRow {
  readonly id: string;
  readonly tenant_id: string | null;
  readonly owner_id: string | null;
  readonly device_id: string | null;
}

/** The principals of a tenant ($1) among ids ($2), each as `p`. */
const PRINCIPALS: Readonly<Record<PermissionPrincipalKind, string>> = {
  [PermissionPrincipalKind.User]: `
    SELECT p.id, p.tenant_id, NULL AS owner_id, NULL AS device_id FROM users p WHERE p.tenant_id = $1 AND p.id = ANY($2::uuid[])`,
  [PermissionPrincipalKind.UserGroup]: `
    SELECT p.id, p.tenant_id, NULL AS owner_id, NULL AS device_id FROM user_groups p WHERE p.tenant_id = $1 AND p.id = ANY($2::uuid[])`,
  [PermissionPrincipalKind.ServiceAccount]: `
    SELECT p.id, p.tenant_id, NULL AS owner_id, NULL AS device_id FROM service_accounts p
    WHERE (p.tenant_id = $1 OR p.tenant_id IS NULL) AND p.id = ANY($2::uuid[])`,
  [PermissionPrincipalKind.PersonalAccessToken]: `
    SELECT p.id, u.tenant_id, p.user_id AS owner_id, NULL AS device_id
    FROM personal_access_tokens p JOIN users u ON u.id = p.user_id WHERE u.tenant_id = $1 AND p.id = ANY($2::uuid[])`,
  [PermissionPrincipalKind.LogonToken]: `
    SELECT p.id, p.tenant_id, NULL AS owner_id, p.device_id FROM logon_tokens p WHERE p.tenant_id = $1 AND p.id = ANY($2::uuid[])`,
};

interface ScopeTargetRow {
  readonly id: string;
  readonly customer_id: string | null;
  readonly device_group_ids: string[];
}

const targets = (table: string): string =>
  `SELECT s.id, NULL AS customer_id, '{}'::uuid[] AS device_group_ids FROM ${table} s WHERE s.tenant_id = $1 AND s.id = ANY($2::uuid[])`;

/** The scope targets of a tenant ($1) among ids ($2), each as `s`. */
const SCOPE_TARGETS: Readonly<Record<ScopeTargetKind, string>> = {
  CustomerTenant: targets('customers'),
  DeviceGroup: targets('device_groups'),
  UserGroup: targets('user_groups'),
  Device: `
    SELECT s.id, s.customer_id, ARRAY(SELECT m.device_group_id FROM device_group_members m WHERE m.device_id = s.id) AS device_group_ids
    FROM devices s WHERE s.tenant_id = $1 AND s.id = ANY($2::uuid[])`,
};

/**
 * Reads the principals and scopes that assignments refer to, within one tenant. The `hold` methods also lock the rows until the
 * transaction ends, so that no assignment is left without its principal or scope. They lock in a fixed order of kinds and ids, so
 * that two writers cannot deadlock.
 */
@Injectable()
export class AssignmentReferencesRepository {
  /** The principal, or null when it is neither one of the tenant nor a service account of the server. */
  async principal(manager: EntityManager, tenantId: string, reference: PrincipalReference): Promise<AssignmentPrincipal | null> {
    const rows = await manager.query<PrincipalRow[]>(PRINCIPALS[reference.principalKind], [tenantId, [reference.principalId]]);
    return rows.length === 0 ? null : principalFrom(reference.principalKind, rows[0]);
  }

  /** Like {@link holdPrincipals}, for one principal; null when there is no such principal for the tenant. */
  async holdPrincipal(manager: EntityManager, tenantId: string, reference: PrincipalReference): Promise<AssignmentPrincipal | null> {
    return (await this.holdPrincipals(manager, tenantId, [reference])).get(principalKey(reference)) ?? null;
  }

  /** Those of the principals that exist for the tenant, by {@link principalKey}. */
  async holdPrincipals(
    manager: EntityManager,
    tenantId: string,
    references: readonly PrincipalReference[],
  ): Promise<ReadonlyMap<string, AssignmentPrincipal>> {
    const found = new Map<string, AssignmentPrincipal>();
    for (const kind of PRINCIPAL_KINDS) {
      const ids = distinct(references.flatMap((reference) => (reference.principalKind === kind ? [reference.principalId] : [])));
      if (ids.length === 0) continue;
      const rows = await manager.query<PrincipalRow[]>(`${PRINCIPALS[kind]} ORDER BY p.id FOR KEY SHARE OF p`, [tenantId, ids]);
      for (const row of rows) {
        const principal = principalFrom(kind, row);
        found.set(principalKey(principal), principal);
      }
    }
    return found;
  }

  /** The target of a scope, with everything that contains it; null when the tenant has no such target. */
  async scope(manager: EntityManager, tenantId: string, { scopeKind, scopeId }: AssignmentScope): Promise<Resource | null> {
    if (scopeKind === PermissionScopeKind.Server) return { kind: 'Server' };
    if (scopeKind === PermissionScopeKind.Tenant) return scopeId === tenantId ? { kind: 'Tenant', tenantId } : null;
    const kind = SCOPE_TARGET_KINDS.find((target) => PermissionScopeKind[target] === scopeKind);
    if (kind === undefined) return null;
    const [row] = await manager.query<ScopeTargetRow[]>(SCOPE_TARGETS[kind], [tenantId, [scopeId]]);
    return row === undefined ? null : resourceFrom(kind, tenantId, row);
  }

  /** Locks the tenant and returns true if it exists. It is locked before its content, because deleting a tenant deletes the content too. */
  async holdTenant(manager: EntityManager, tenantId: string): Promise<boolean> {
    return (
      (await manager.query<object[]>('SELECT 1 FROM tenants WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE', [tenantId])).length > 0
    );
  }

  /** Those of the scopes that exist in the tenant, by {@link scopeKey}. */
  async holdScopes(manager: EntityManager, tenantId: string, scopes: readonly AssignmentScope[]): Promise<ReadonlyMap<string, Resource>> {
    const found = new Map<string, Resource>([
      [scopeKey({ scopeKind: PermissionScopeKind.Server, scopeId: null }), { kind: 'Server' }],
      [scopeKey({ scopeKind: PermissionScopeKind.Tenant, scopeId: tenantId }), { kind: 'Tenant', tenantId }],
    ]);
    for (const kind of SCOPE_TARGET_KINDS) {
      const scopeKind = PermissionScopeKind[kind];
      const ids = distinct(scopes.flatMap((scope) => (scope.scopeKind === scopeKind && scope.scopeId !== null ? [scope.scopeId] : [])));
      if (ids.length === 0) continue;
      const rows = await manager.query<ScopeTargetRow[]>(`${SCOPE_TARGETS[kind]} ORDER BY s.id FOR KEY SHARE OF s`, [tenantId, ids]);
      for (const row of rows) found.set(scopeKey({ scopeKind, scopeId: row.id }), resourceFrom(kind, tenantId, row));
    }
    return found;
  }
}

function principalFrom(principalKind: PermissionPrincipalKind, row: PrincipalRow): AssignmentPrincipal {
  return { principalKind, principalId: row.id, tenantId: row.tenant_id, ownerId: row.owner_id, deviceId: row.device_id };
}

function resourceFrom(kind: ScopeTargetKind, tenantId: string, row: ScopeTargetRow): Resource {
  if (kind !== 'Device') return { kind, id: row.id, tenantId };
  return { kind, id: row.id, tenantId, customerId: row.customer_id, deviceGroupIds: row.device_group_ids };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
