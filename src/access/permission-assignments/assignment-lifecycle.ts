import { Injectable } from '@nestjs/common';

import { Clock } from '../../platform/common/runtime/clock.js';
import type { InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { SYSTEM } from '../authentication/principals/principal.js';
import type { RequestContext } from '../authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../authorization/change-log/change-log.js';
import type { PermissionPreset } from '../authorization/permissions/permission-presets.js';
import {
  PermissionEffect,
  PermissionPrincipalKind,
  PermissionScopeKind,
  type PermissionDefinition,
} from '../authorization/permissions/permission.js';
import { AssignmentReferencesRepository } from './assignment-references.repository.js';
import { requireLegal, type PathOf } from './assignment-rules.js';
import { AssignmentWriter, newAssignment, type AssignmentTransaction } from './assignment-writer.js';
import type { AssignmentScope, AssignmentTerms, PrincipalReference } from './assignment.js';
import { PermissionAssignmentsRepository } from './permission-assignments.repository.js';
import { grantsOf, planGrants } from './preset-grants.js';

/** An Allow that a token is to carry, at a scope. */
export type TokenScope = Pick<AssignmentTerms, 'permissionName' | 'scopeKind' | 'scopeId'>;

/** Principals and scopes that are about to be deleted. */
export interface RemovedReferences {
  readonly principals?: readonly PrincipalReference[];
  readonly scopes?: readonly AssignmentScope[];
}

/**
 * The assignments that are created and deleted together with other resources. Call these methods in the transaction
 * that creates or deletes a principal or a scope, after checking that the caller may do so. The caller's rights to
 * write assignments do not matter here.
 */
@Injectable()
export class AssignmentLifecycle {
  constructor(
    private readonly writer: AssignmentWriter,
    private readonly repository: PermissionAssignmentsRepository,
    private readonly references: AssignmentReferencesRepository,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** Grants presets to a new principal, in the name of the service and with one entry in the change log. */
  async seed(
    tx: InTransaction<RequestContext>,
    tenantId: string,
    reference: PrincipalReference,
    presets: readonly PermissionPreset[],
  ): Promise<void> {
    await this.repository.lockWriting(tx.manager, [reference]);
    const present = await this.repository.ofPrincipal(tx.manager, tenantId, reference);
    const { add } = planGrants(present, grantsOf(presets, tenantId));
    const bySystem = { ...tx, tenantId, principal: SYSTEM };
    const rows = add.map((values) => newAssignment(bySystem, reference, values, this.clock.now()));
    await this.repository.insert(tx.manager, rows);
    tx.transaction.touch(reference.principalKind, reference.principalId);
    await this.changeLog.write(bySystem, {
      action: 'permission-assignments-seeded',
      target: ChangeTarget.PermissionAssignment,
      targetId: reference.principalId,
      tenantId,
      after: { principalKind: reference.principalKind, count: rows.length, presets: presets.map(({ name }) => name) },
    });
  }

  /** Gives a new personal access token its scopes. 400 at `scopes[n]` for one that is illegal, unknown or beyond the owner's rights. */
  async grantToToken(tx: AssignmentTransaction, tokenId: string, scopes: readonly TokenScope[]): Promise<void> {
    const reference = { principalKind: PermissionPrincipalKind.PersonalAccessToken, principalId: tokenId };
    await this.grant(tx, reference, scopes, (index) => (field) => `scopes[${index}].${field}`);
  }

  /** Gives a new logon token its permissions on its device. 400 at `permissions[n]` for one that no device can have. */
  async grantToLogonToken(
    tx: AssignmentTransaction,
    token: { readonly id: string; readonly deviceId: string },
    permissions: readonly PermissionDefinition[],
  ): Promise<void> {
    const reference = { principalKind: PermissionPrincipalKind.LogonToken, principalId: token.id };
    const onDevice = { scopeKind: PermissionScopeKind.Device, scopeId: token.deviceId };
    const scopes = permissions.map(({ name }) => ({ permissionName: name, ...onDevice }));
    await this.grant(tx, reference, scopes, (index) => () => `permissions[${index}]`);
  }

  /**
   * Logs the assignments that the database deletes along with principals and scopes, and makes the caches forget their principals' rights.
   * Call it with the deleted rows locked, so that no assignment is added in between.
   */
  async logRemoved(tx: InTransaction<RequestContext>, { principals = [], scopes = [] }: RemovedReferences): Promise<void> {
    for (const { principalKind, principalId } of principals) tx.transaction.touch(principalKind, principalId);
    await this.writer.logRemoved(tx, await this.repository.naming(tx.manager, principals, scopes));
  }

  private async grant(
    tx: AssignmentTransaction,
    reference: PrincipalReference,
    scopes: readonly TokenScope[],
    pathsOf: (index: number) => PathOf,
  ): Promise<void> {
    if (scopes.length === 0) return;
    const principal = await this.references.holdPrincipal(tx.manager, tx.tenantId, reference);
    if (principal === null) throw new Error(`The ${reference.principalKind} ${reference.principalId} is not in the tenant ${tx.tenantId}.`);
    const allows = scopes.map((scope) => ({ ...scope, effect: PermissionEffect.Allow, isEnabled: true, notes: null }));
    const assignments = allows.map((values, index) => requireLegal(values, principal, tx.tenantId, pathsOf(index)));
    await this.writer.add(tx, principal, assignments);
  }
}
