import { Injectable } from '@nestjs/common';

import { forbidden } from '../../../platform/common/errors/errors.js';
import type { InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import type { Principal } from '../../authentication/principals/principal.js';
import type { RequestContext } from '../../authentication/principals/request-context.js';
import { AuthorizationService } from '../evaluation/authorization.service.js';
import { allowedWhereDeniedCondition, type SqlCondition } from '../evaluation/device-scope.js';
import { isUnrestricted } from '../evaluation/evaluator.js';
import type { Rights } from '../evaluation/rights.js';
import { RuleSet, type Resource, type Rule } from '../evaluation/rules.js';
import {
  Permission,
  PermissionEffect,
  PermissionScopeKind,
  type PermissionDefinition,
  type PermissionPrincipalKind,
} from '../permissions/permission.js';

/** A principal that holds assignments, with the tenant that it is bound to. */
export interface Holder {
  readonly kind: PermissionPrincipalKind;
  readonly id: string;
  readonly tenantId: string | null;
}

/** A permission and scope requested for a new token. */
export interface WantedScope {
  readonly permissionName: string;
  readonly scopeKind: PermissionScopeKind;
  readonly scopeId: string | null;
}

/**
 * Keeps callers from gaining rights. To act as another principal (set its password, create a token in its name, add members to its group) a
 * caller must hold all that the principal holds; the rights to move devices are in `move-rights.ts` and `denials.ts`.
 *
 * Rights are read on the connection of the context: call these in the transaction of the change, after its locks are taken.
 */
@Injectable()
export class Escalation {
  constructor(private readonly authorization: AuthorizationService) {}

  /** 403 with this message unless the caller holds everything that the holder effectively holds. */
  async requireAllRightsOf(context: RequestContext, holder: Holder, sentence: string): Promise<void> {
    const missing = await missingOf(this.authorization.storedRights(context.manager), context.principal, holder);
    if (missing !== null) throw forbidden(`${sentence} It holds ${missing.name}, which you do not hold to the same extent.`);
  }

  /**
   * 403 with this message unless the caller's token holds every permission at the scopes and has no Deny inside them.
   * Callers whose credential has no rules of its own always pass: their owner's rights limit the new token anyway.
   */
  async requireTokenPermissions(tx: InTransaction<RequestContext>, scopes: readonly WantedScope[], sentence: string): Promise<void> {
    const rights = this.authorization.storedRights(tx.manager);
    const { token } = await rights.rulesOf(tx.principal);
    if (token === null) return;
    const wanted = new RuleSet(scopes.map((scope) => wantedRule(scope, tx.tenantId)));
    for (const { permission, rule } of wanted.withEffect(PermissionEffect.Allow)) {
      const resource = await resourceOf(rights, rule);
      // A scope that the tenant does not have is refused when the token is written.
      if (resource === null || (resource.kind !== 'Server' && resource.tenantId !== tx.tenantId)) continue;
      if (!token.decide(permission, resource).allowed) throw forbidden(`${sentence} It does not hold ${permission.name} to that extent.`);
    }
    const denied = await allowedWhereDenied(rights, wanted, token);
    if (denied !== null) throw forbidden(`${sentence} It does not hold ${denied.name} to that extent.`);
  }

  /** The devices that the caller may read, as a condition on the alias `d` with its parameters numbered from 1. */
  readableDevices({ principal, manager }: InTransaction<RequestContext>): Promise<SqlCondition> {
    return this.authorization.storedRights(manager).deviceScope(principal, Permission.DeviceRead, 'd');
  }
}

/** A permission that the holder effectively holds and the principal does not hold to the same extent, or null. */
async function missingOf(rights: Rights, principal: Principal, holder: Holder): Promise<PermissionDefinition | null> {
  if (isUnrestricted(principal)) return null;
  const held = await rights.rules(holder.kind, holder.id, holder.tenantId);
  for (const { permission, rule } of held.withEffect(PermissionEffect.Allow)) {
    const resource = await resourceOf(rights, rule);
    if (resource === null || !held.decide(permission, resource).allowed) continue;
    if (!(await rights.isAllowed(principal, permission, resource))) return permission;
  }
  // The holder also holds more where the caller is denied something inside of such a scope.
  const own = await rights.rulesOf(principal);
  for (const ownRules of [own.owner, own.token]) {
    const denied = ownRules === null ? null : await allowedWhereDenied(rights, held, ownRules);
    if (denied !== null) return denied;
  }
  return null;
}

/** A permission that one set of rules allows somewhere where the other denies it, or null. */
async function allowedWhereDenied(rights: Rights, held: RuleSet, own: RuleSet): Promise<PermissionDefinition | null> {
  const deniedInContainers = new Set<PermissionDefinition>();
  for (const { permission, rule } of own.withEffect(PermissionEffect.Deny)) {
    const resource = await resourceOf(rights, rule);
    if (resource === null) continue;
    if (held.decide(permission, resource).allowed) return permission;
    if (resource.kind === 'CustomerTenant' || resource.kind === 'DeviceGroup') deniedInContainers.add(permission);
  }
  // Customers and groups do not contain each other, but the same device may be in one that is denied and in one that is held.
  for (const permission of deniedInContainers) {
    if (!permission.scopeKinds.includes(PermissionScopeKind.Device)) continue;
    if (await rights.hasDevice(allowedWhereDeniedCondition(held, own, permission, 'd'))) return permission;
  }
  return null;
}

/** Returns the resource to which a rule applies, with everything that contains it; null when it no longer exists. */
async function resourceOf(rights: Rights, { scopeKind, scopeId, owningTenantId }: Rule): Promise<Resource | null> {
  switch (scopeKind) {
    case PermissionScopeKind.Server:
      return { kind: 'Server' };
    case PermissionScopeKind.Tenant:
      return scopeId === null ? null : { kind: 'Tenant', tenantId: scopeId };
    case PermissionScopeKind.Device:
      return scopeId === null ? null : rights.device(scopeId);
    case PermissionScopeKind.CustomerTenant:
    case PermissionScopeKind.DeviceGroup:
    case PermissionScopeKind.UserGroup:
      return scopeId === null || owningTenantId === null ? null : { kind: scopeKind, id: scopeId, tenantId: owningTenantId };
    case PermissionScopeKind.Unknown:
      return null;
  }
}

/** The rule for a requested scope. At Tenant scope it applies to the tenant, and the sent id is ignored. */
function wantedRule({ permissionName, scopeKind, scopeId }: WantedScope, tenantId: string | null): Rule {
  const isTenant = scopeKind === PermissionScopeKind.Tenant;
  return {
    assignmentId: '',
    permissionName,
    effect: PermissionEffect.Allow,
    scopeKind,
    scopeId: isTenant ? tenantId : scopeId,
    owningTenantId: scopeKind === PermissionScopeKind.Server ? null : tenantId,
    throughGroupId: null,
  };
}
