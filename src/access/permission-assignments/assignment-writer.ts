import { Injectable } from '@nestjs/common';

import { invalidField, notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import type { InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { idOf } from '../authentication/principals/principal.js';
import type { RequestContext, TenantContext } from '../authentication/principals/request-context.js';
import { Administrators } from '../authorization/administrators/administrators.js';
import { actorTypeOf, ChangeLog, ChangeTarget, type Change } from '../authorization/change-log/change-log.js';
import { RulesRepository } from '../authorization/evaluation/rules.repository.js';
import { PermissionPrincipalKind } from '../authorization/permissions/permission.js';
import { AssignmentReferencesRepository } from './assignment-references.repository.js';
import { exceedsOwner, requireDistinct, type LegalAssignment } from './assignment-rules.js';
import {
  hasValues,
  owningTenantOf,
  scopeKey,
  type AssignmentPrincipal,
  type AssignmentValues,
  type PrincipalReference,
} from './assignment.js';
import { PermissionAssignment } from './permission-assignment.entity.js';
import { PermissionAssignmentsRepository } from './permission-assignments.repository.js';
import { SelfProtection } from './self-protection.js';

/** Work on the assignments of a tenant, in its transaction. */
export type AssignmentTransaction = InTransaction<TenantContext>;

const DUPLICATE = 'The principal already has an assignment of this permission with the same effect at this scope.';
const UNIQUE_TERMS = { uq_permission_assignments_grant: DUPLICATE };

/**
 * Stores assignments. Applies the rules for all writers: scopes must exist, token assignments stay within the rights of
 * the token's owner, each change is logged, and the caches forget the principal's rights. The callers decide who may
 * write which assignment.
 */
@Injectable()
export class AssignmentWriter {
  constructor(
    private readonly repository: PermissionAssignmentsRepository,
    private readonly references: AssignmentReferencesRepository,
    private readonly rules: RulesRepository,
    private readonly administrators: Administrators,
    private readonly selfProtection: SelfProtection,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` in one transaction as the only writer of the principals' assignments: of several writers that exclude each
   * other, exactly one succeeds. Everything is undone with 400 when it leaves the tenant or the server without an administrator,
   * or the caller without the right to manage permissions. 404 when the tenant does not exist, 409 for an assignment that the
   * principal already has, 503 when too many changes of the tenant wait.
   */
  exclusively<T>(
    context: TenantContext,
    principals: readonly PrincipalReference[],
    work: (tx: AssignmentTransaction) => Promise<T>,
  ): Promise<T> {
    const { ServiceAccount } = PermissionPrincipalKind;
    const accountIds = principals.flatMap(({ principalKind, principalId }) => (principalKind === ServiceAccount ? [principalId] : []));
    return this.administrators.keeping(
      context,
      { tenantId: context.tenantId, accountIds },
      async (tx) => {
        if (!(await this.references.holdTenant(tx.manager, tx.tenantId))) throw notFound('The tenant');
        await this.repository.lockWriting(tx.manager, principals);
        return this.selfProtection.keeping(tx, principals, () => work(tx));
      },
      UNIQUE_TERMS,
    );
  }

  /** Adds assignments of one principal, which the transaction holds. 400 for a scope that the tenant does not have, 409 for duplicates. */
  async add(
    tx: AssignmentTransaction,
    principal: AssignmentPrincipal,
    assignments: readonly LegalAssignment[],
  ): Promise<PermissionAssignment[]> {
    requireDistinct(assignments);
    await this.requireScopes(tx, principal, assignments);
    const rows = assignments.map(({ values }) => newAssignment(tx, principal, values, this.clock.now()));
    await this.repository.insert(tx.manager, rows);
    await this.log(
      tx,
      rows.map((row) => ({ action: 'permission-assignment-created', row, after: stateOf(row) })),
    );
    return rows;
  }

  /** Gives a row other values; a row that has them already stays untouched. 400 for a scope that the tenant does not have. */
  async change(
    tx: AssignmentTransaction,
    principal: AssignmentPrincipal,
    row: PermissionAssignment,
    assignment: LegalAssignment,
  ): Promise<PermissionAssignment> {
    await this.requireScopes(tx, principal, [assignment]);
    if (hasValues(row, assignment.values)) return row;
    const { permissionName, effect, scopeKind, scopeId, isEnabled, notes } = assignment.values;
    const owningTenantId = owningTenantOf(assignment.values, tx.tenantId);
    const changed = { ...row, permissionName, effect, scopeKind, scopeId, isEnabled, notes, owningTenantId };
    await this.repository.update(tx.manager, changed);
    await this.log(tx, [{ action: 'permission-assignment-updated', row: changed, before: stateOf(row), after: stateOf(changed) }]);
    return changed;
  }

  /** Deletes rows. */
  async remove(tx: AssignmentTransaction, rows: readonly PermissionAssignment[]): Promise<void> {
    await this.repository.remove(tx.manager, rows);
    await this.logRemoved(tx, rows);
  }

  /** Logs rows that the transaction deletes, and makes the caches forget their principals' rights. */
  async logRemoved(tx: InTransaction<RequestContext>, rows: readonly PermissionAssignment[]): Promise<void> {
    await this.log(
      tx,
      rows.map((row) => ({ action: 'permission-assignment-deleted', row, before: stateOf(row) })),
    );
  }

  /** 400 unless the scopes exist in the tenant and, for a token, its owner holds there what the token is granted. */
  private async requireScopes(
    tx: AssignmentTransaction,
    { ownerId, tenantId }: AssignmentPrincipal,
    assignments: readonly LegalAssignment[],
  ): Promise<void> {
    const scopes = await this.references.holdScopes(
      tx.manager,
      tx.tenantId,
      assignments.map(({ values }) => values),
    );
    const owner = ownerId === null ? null : await this.rules.ruleSet(tx.manager, PermissionPrincipalKind.User, ownerId, tenantId);
    for (const { values, pathOf } of assignments) {
      const scope = scopes.get(scopeKey(values));
      if (scope === undefined) throw invalidField(pathOf('scopeId'), `The tenant has no ${values.scopeKind} with this id.`);
      if (owner !== null && exceedsOwner(owner, values, scope)) {
        throw invalidField(pathOf('permissionName'), `The owner of the token does not hold ${values.permissionName} at this scope.`);
      }
    }
  }

  private async log(
    tx: InTransaction<RequestContext>,
    changes: readonly (Pick<Change, 'action' | 'before' | 'after'> & { readonly row: PermissionAssignment })[],
  ): Promise<void> {
    for (const { row } of changes) tx.transaction.touch(row.principalKind, row.principalId);
    await this.changeLog.writeMany(
      tx,
      changes.map(({ row, ...change }) => ({
        ...change,
        target: ChangeTarget.PermissionAssignment,
        targetId: row.id,
        tenantId: row.owningTenantId,
      })),
    );
  }
}

/** The row of a new assignment, made by the caller of the context. */
export function newAssignment(
  { principal: creator, tenantId }: Pick<TenantContext, 'principal' | 'tenantId'>,
  { principalKind, principalId }: PrincipalReference,
  values: AssignmentValues,
  createdAt: Date,
): PermissionAssignment {
  const { permissionName, effect, scopeKind, scopeId, isEnabled, notes } = values;
  return {
    id: newGuid(),
    createdAt,
    principalKind,
    principalId,
    permissionName,
    effect,
    scopeKind,
    scopeId,
    owningTenantId: owningTenantOf(values, tenantId),
    isEnabled,
    notes,
    createdByPrincipalType: actorTypeOf(creator),
    createdByPrincipalId: idOf(creator),
  };
}

/** A row as the change log shows it. */
function stateOf(row: PermissionAssignment): object {
  const { principalKind, principalId, permissionName, effect, scopeKind, scopeId, isEnabled, notes } = row;
  return { principalKind, principalId, permissionName, effect, scopeKind, scopeId, isEnabled, notes };
}
