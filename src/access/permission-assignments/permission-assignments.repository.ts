import { Injectable } from '@nestjs/common';
import { In, type EntityManager, type SelectQueryBuilder } from 'typeorm';

import { pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { lockNamesUntilCommit, NamedAdvisoryLock } from '../../platform/database/locks/advisory-locks.js';
import { insertRows } from '../../platform/database/queries/insert-rows.js';
import { PermissionScopeKind } from '../authorization/permissions/permission.js';
import { PRINCIPAL_KINDS, principalKey, SCOPE_TARGET_KINDS, type AssignmentScope, type PrincipalReference } from './assignment.js';
import { PermissionAssignment } from './permission-assignment.entity.js';

/** A personal access token that has assignments, with the user whose rights limit them. */
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

/** The SQL of permission assignments. */
@Injectable()
export class PermissionAssignmentsRepository {
  /** The next personal access tokens, of all tenants, that have an enabled Allow; in order of their ids, starting after `afterId`. */
  tokensWithRows(manager: EntityManager, afterId: string, limit: number): Promise<TokenWithRows[]> {
    return manager.query<TokenWithRows[]>(TOKENS_WITH_ROWS, [afterId, limit]);
  }

  /** Makes the transaction the only writer of the principals' assignments until it ends; waits for other writers. */
  async lockWriting(manager: EntityManager, references: readonly PrincipalReference[]): Promise<void> {
    const keys = distinct(references.map(principalKey)).sort();
    await lockNamesUntilCommit(manager, NamedAdvisoryLock.PrincipalAssignments, keys);
  }

  /** A principal's assignments that belong to the tenant or to the server, by permission and scope kind. */
  ofPrincipal(manager: EntityManager, tenantId: string, reference: PrincipalReference): Promise<PermissionAssignment[]> {
    return inListOrder(manager, tenantId, reference).getMany();
  }

  /** The same assignments, read page by page. */
  pagesOfPrincipal(manager: EntityManager, tenantId: string, reference: PrincipalReference): Pages<PermissionAssignment> {
    return pagesOf<PermissionAssignment>((after, limit) => {
      const rest = inListOrder(manager, tenantId, reference).limit(limit);
      if (after === null) return rest.getMany();
      const { permissionName, scopeKind, id } = after;
      return rest
        .andWhere('(a.permissionName, a.scopeKind, a.id) > (:permissionName, :scopeKind, :id)', { permissionName, scopeKind, id })
        .getMany();
    });
  }

  /** The assignments with these ids that belong to the tenant or to the server. */
  byIds(manager: EntityManager, tenantId: string, ids: readonly string[]): Promise<PermissionAssignment[]> {
    return manager
      .createQueryBuilder(PermissionAssignment, 'a')
      .where('a.id = ANY(:ids::uuid[])', { ids })
      .andWhere('(a.owningTenantId = :tenantId OR a.owningTenantId IS NULL)', { tenantId })
      .orderBy('a.id')
      .getMany();
  }

  /** The assignments of any tenant that the principals hold or that are scoped to one of the scopes, which lie inside a tenant. */
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

  /** Adds rows. One with the same terms as another of its principal violates `uq_permission_assignments_grant`. */
  async insert(manager: EntityManager, rows: readonly PermissionAssignment[]): Promise<void> {
    await insertRows(manager, PermissionAssignment, rows);
  }

  /** Writes the values of a row. */
  async update(manager: EntityManager, row: PermissionAssignment): Promise<void> {
    const { id, permissionName, effect, scopeKind, scopeId, owningTenantId, isEnabled, notes } = row;
    await manager.update(PermissionAssignment, { id }, { permissionName, effect, scopeKind, scopeId, owningTenantId, isEnabled, notes });
  }

  /** Deletes rows. */
  async remove(manager: EntityManager, rows: readonly PermissionAssignment[]): Promise<void> {
    // As one parameter: a statement takes at most 65,535, and a principal may have more assignments.
    await manager.query('DELETE FROM permission_assignments WHERE id = ANY($1::uuid[])', [rows.map(({ id }) => id)]);
  }
}

/** The assignments of a principal by permission, scope kind and id. */
function inListOrder(manager: EntityManager, tenantId: string, reference: PrincipalReference): SelectQueryBuilder<PermissionAssignment> {
  return manager
    .createQueryBuilder(PermissionAssignment, 'a')
    .where('a.principalKind = :principalKind AND a.principalId = :principalId', { ...reference })
    .andWhere('(a.owningTenantId = :tenantId OR a.owningTenantId IS NULL)', { tenantId })
    .orderBy('a.permissionName')
    .addOrderBy('a.scopeKind')
    .addOrderBy('a.id');
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
