import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';

import { PermissionPrincipalKind, PermissionScopeKind } from '../authorization/permission.js';
import type { Resource } from '../authorization/rules.js';
import { LIST_LIMIT } from '../common/list-limit.js';
import { insertRows } from '../database/insert-rows.js';
import type { AssignmentPrincipal, AssignmentScope, PrincipalReference } from './assignment-rules.js';
import { PermissionAssignment } from './permission-assignment.entity.js';

/** First key of the advisory locks under which one writer at a time changes the assignments of a principal. */
const PRINCIPAL_LOCK = 1_885_434_739;

interface PrincipalRow {
  readonly id: string;
  readonly tenant_id: string | null;
  readonly owner_id: string | null;
  readonly device_id: string | null;
}

/** A personal access token that has rows, with the user whose rights bound them. */
export interface TokenWithRows {
  readonly id: string;
  readonly ownerId: string;
  readonly tenantId: string;
}

const TOKENS_WITH_ROWS = `
  SELECT t.id, t.user_id AS "ownerId", u.tenant_id AS "tenantId"
  FROM personal_access_tokens t JOIN users u ON u.id = t.user_id
  WHERE t.id > $1 AND EXISTS (SELECT 1 FROM permission_assignments a
    WHERE a.principal_kind = 'PersonalAccessToken' AND a.principal_id = t.id AND a.is_enabled AND a.effect = 'Allow')
  ORDER BY t.id LIMIT $2`;

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

/** What an assignment can be scoped to inside a tenant. */
type ScopeTargetKind = 'CustomerTenant' | 'DeviceGroup' | 'Device' | 'UserGroup';

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

/** Kinds in the order in which rows are locked, so that two writers never wait for each other. */
const PRINCIPAL_KINDS = Object.values(PermissionPrincipalKind);
const SCOPE_TARGET_KINDS: readonly ScopeTargetKind[] = ['CustomerTenant', 'DeviceGroup', 'Device', 'UserGroup'];

/** Reads and writes assignments, and what they speak of. Every read is bounded by a tenant or by ids. */
@Injectable()
export class PermissionAssignmentsRepository {
  /** The principal, if it exists for the tenant: its own ones and the service accounts of the server. */
  async principal(manager: EntityManager, tenantId: string, reference: PrincipalReference): Promise<AssignmentPrincipal | null> {
    const rows = await manager.query<PrincipalRow[]>(PRINCIPALS[reference.principalKind], [tenantId, [reference.principalId]]);
    return rows.length === 0 ? null : principalFrom(reference.principalKind, rows[0]);
  }

  /** The principals that exist for the tenant, by {@link principalKey}, held so that none is deleted before the transaction ends. */
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

  /** What a scope is, with what contains it; null when the tenant has no such thing. */
  async scope(manager: EntityManager, tenantId: string, { scopeKind, scopeId }: AssignmentScope): Promise<Resource | null> {
    if (scopeKind === PermissionScopeKind.Server) return { kind: 'Server' };
    if (scopeKind === PermissionScopeKind.Tenant) return scopeId === tenantId ? { kind: 'Tenant', tenantId } : null;
    const kind = SCOPE_TARGET_KINDS.find((target) => PermissionScopeKind[target] === scopeKind);
    if (kind === undefined) return null;
    const [row] = await manager.query<ScopeTargetRow[]>(SCOPE_TARGETS[kind], [tenantId, [scopeId]]);
    return row === undefined ? null : resourceFrom(kind, tenantId, row);
  }

  /** Whether the tenant exists; if so, it does until the transaction ends. Held first: a deleted tenant takes all the others along. */
  async holdTenant(manager: EntityManager, tenantId: string): Promise<boolean> {
    return (await manager.query<object[]>('SELECT 1 FROM tenants WHERE id = $1 FOR KEY SHARE', [tenantId])).length > 0;
  }

  /** Those of the scopes that exist in the tenant, by {@link scopeKey}, held like the principals. */
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

  /** Personal access tokens of all tenants with an enabled Allow row, in order of their ids, from behind one on. */
  tokensWithRows(manager: EntityManager, afterId: string, limit: number): Promise<TokenWithRows[]> {
    return manager.query<TokenWithRows[]>(TOKENS_WITH_ROWS, [afterId, limit]);
  }

  /** Lets one writer at a time change the assignments of the principals, until the transaction ends. */
  async lockWriting(manager: EntityManager, references: readonly PrincipalReference[]): Promise<void> {
    const keys = distinct(references.map(principalKey)).sort();
    await manager.query('SELECT pg_advisory_xact_lock($1, hashtext(key)) FROM unnest($2::text[]) AS key', [PRINCIPAL_LOCK, keys]);
  }

  /** The assignments of a principal that belong to the tenant or to the server, in the order of lists. */
  ofPrincipal(manager: EntityManager, tenantId: string, reference: PrincipalReference): Promise<PermissionAssignment[]> {
    return manager
      .createQueryBuilder(PermissionAssignment, 'a')
      .where('a.principalKind = :principalKind AND a.principalId = :principalId', { ...reference })
      .andWhere('(a.owningTenantId = :tenantId OR a.owningTenantId IS NULL)', { tenantId })
      .orderBy('a.permissionName')
      .addOrderBy('a.scopeKind')
      .addOrderBy('a.id')
      .take(LIST_LIMIT)
      .getMany();
  }

  /** The assignments of the ids that belong to the tenant or to the server. */
  byIds(manager: EntityManager, tenantId: string, ids: readonly string[]): Promise<PermissionAssignment[]> {
    return manager
      .createQueryBuilder(PermissionAssignment, 'a')
      .where('a.id = ANY(:ids::uuid[])', { ids })
      .andWhere('(a.owningTenantId = :tenantId OR a.owningTenantId IS NULL)', { tenantId })
      .orderBy('a.id')
      .getMany();
  }

  /** The assignments of the principals, and those scoped to things inside a tenant that are named, whoever owns them. */
  async naming(
    manager: EntityManager,
    principals: readonly PrincipalReference[],
    scopes: readonly AssignmentScope[],
  ): Promise<PermissionAssignment[]> {
    const ofPrincipals = PRINCIPAL_KINDS.flatMap((principalKind) => {
      const ids = principals.flatMap((principal) => (principal.principalKind === principalKind ? [principal.principalId] : []));
      return ids.length === 0 ? [] : [{ principalKind, principalId: In(ids) }];
    });
    const atScopes = SCOPE_TARGET_KINDS.flatMap((kind) => {
      const ids = scopes.flatMap(({ scopeKind, scopeId }) =>
        scopeKind === PermissionScopeKind[kind] && scopeId !== null ? [scopeId] : [],
      );
      return ids.length === 0 ? [] : [{ scopeKind: PermissionScopeKind[kind], scopeId: In(ids) }];
    });
    const where = [...ofPrincipals, ...atScopes];
    return where.length === 0 ? [] : manager.find(PermissionAssignment, { where, order: { id: 'ASC' } });
  }

  /** Adds rows; one whose terms the principal already has violates `uq_permission_assignments_grant`. */
  async insert(manager: EntityManager, rows: readonly PermissionAssignment[]): Promise<void> {
    await insertRows(manager, PermissionAssignment, rows);
  }

  /** Writes the changed values of a row. */
  async update(manager: EntityManager, row: PermissionAssignment): Promise<void> {
    const { id, permissionName, effect, scopeKind, scopeId, owningTenantId, isEnabled, notes } = row;
    await manager.update(PermissionAssignment, { id }, { permissionName, effect, scopeKind, scopeId, owningTenantId, isEnabled, notes });
  }

  /** Deletes rows. */
  async remove(manager: EntityManager, rows: readonly PermissionAssignment[]): Promise<void> {
    if (rows.length > 0) await manager.delete(PermissionAssignment, { id: In(rows.map(({ id }) => id)) });
  }
}

/** A principal as a key of maps and locks. */
export function principalKey({ principalKind, principalId }: PrincipalReference): string {
  return `${principalKind}:${principalId}`;
}

/** A scope as a key of maps. */
export function scopeKey({ scopeKind, scopeId }: AssignmentScope): string {
  return `${scopeKind}:${scopeId ?? ''}`;
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
