import { Injectable } from '@nestjs/common';

import { invalid } from '../../platform/common/errors/errors.js';
import type { InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { tenantOf, type Principal } from '../authentication/principals/principal.js';
import type { TenantContext } from '../authentication/principals/request-context.js';
import { isUnrestricted } from '../authorization/evaluation/evaluator.js';
import type { Resource, RuleSet } from '../authorization/evaluation/rules.js';
import { RulesRepository } from '../authorization/evaluation/rules.repository.js';
import { permissionCatalog, PermissionPrincipalKind, PermissionScopeKind } from '../authorization/permissions/permission.js';
import { isSamePrincipal, type PrincipalReference } from './assignment.js';

const SELF_PROTECTED = permissionCatalog.filter(({ selfRemovable }) => !selfRemovable);

/** Prevents callers from removing their own right to manage permissions, because then nobody might be left who can grant it. */
@Injectable()
export class SelfProtection {
  constructor(private readonly rules: RulesRepository) {}

  /**
   * Runs `work`, which changes assignments of the principals. 400, and the transaction is undone, when the caller is one of them
   * and loses a permission that is not self-removable.
   */
  async keeping<T>(tx: InTransaction<TenantContext>, changed: readonly PrincipalReference[], work: () => Promise<T>): Promise<T> {
    const caller = holderOf(tx.principal);
    if (caller === null || isUnrestricted(tx.principal) || !changed.some((principal) => isSamePrincipal(principal, caller))) return work();
    const before = await this.protectedRights(tx, caller);
    const result = await work();
    const after = await this.protectedRights(tx, caller);
    const lost = before.filter((name) => !after.includes(name));
    if (lost.length > 0) throw invalid(`You cannot remove ${lost.join(' or ')} from yourself. Ask another administrator.`);
    return result;
  }

  private async protectedRights(tx: InTransaction<TenantContext>, caller: PrincipalReference): Promise<string[]> {
    return protectedRightsIn(
      await this.rules.ruleSet(tx.manager, caller.principalKind, caller.principalId, tenantOf(tx.principal)),
      tx.tenantId,
    );
  }
}

/** The names of the self-protected permissions that the rules allow in the tenant, or at the server for those of the server. */
export function protectedRightsIn(rules: RuleSet, tenantId: string): string[] {
  const server: Resource = { kind: 'Server' };
  const tenant: Resource = { kind: 'Tenant', tenantId };
  return SELF_PROTECTED.filter(
    (permission) => rules.decide(permission, permission.scopeKinds.includes(PermissionScopeKind.Tenant) ? tenant : server).allowed,
  ).map(({ name }) => name);
}

/** The principal as a holder of assignments; null for the service itself. */
function holderOf(principal: Principal): PrincipalReference | null {
  if (principal.type === 'System') return null;
  const principalKind = principal.type === 'User' ? PermissionPrincipalKind.User : PermissionPrincipalKind.ServiceAccount;
  return { principalKind, principalId: principal.id };
}
