import { Injectable } from '@nestjs/common';

import type { RequestContext, TenantContext } from '../authentication/request-context.js';
import { forbidden } from '../common/errors.js';
import { AuthorizationService } from './authorization.service.js';
import { allowedWhereDeniedCondition } from './device-scope.js';
import { isUnrestricted } from './evaluator.js';
import { MoveRights } from './move-rights.js';
import {
  Permission,
  PermissionEffect,
  PermissionScopeKind,
  type PermissionDefinition,
  type PermissionPrincipalKind,
} from './permission.js';
import { RuleSet, type Resource, type Rule } from './rules.js';
import { RulesRepository } from './rules.repository.js';

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
 * Prevents callers from gaining rights. To act as another principal (set its password, create a token in its name, add
 * members to its group), a caller must hold everything that the principal holds. For moving devices see {@link
 * MoveRights}.
 */
@Injectable()
export class Escalation {
  constructor(
    private readonly authorization: AuthorizationService,
    private readonly rules: RulesRepository,
  ) {}

  /** 403 with this message unless the caller holds everything that the holder effectively holds. */
  async requireHoldsAll(context: RequestContext, holder: Holder, sentence: string): Promise<void> {
    const missing = await this.missing(context, holder);
    if (missing !== null) throw forbidden(`${sentence} It holds ${missing.name}, which you do not hold to the same extent.`);
  }

  /**
   * 403 with this message unless the caller's token holds every permission at the scopes and has no Deny inside them.
   * Callers whose credential has no rules of its own always pass: their owner's rights limit the new token anyway.
   */
  async requireTokenHolds(context: RequestContext, scopes: readonly WantedScope[], sentence: string): Promise<void> {
    const { token } = await this.authorization.rulesOf(context.principal);
    if (token === null) return;
    const wanted = new RuleSet(scopes.map((scope) => wantedRule(scope, context.tenantId)));
    for (const { permission, rule } of wanted.withEffect(PermissionEffect.Allow)) {
      const resource = await this.resourceOf(rule);
      // A scope that the tenant does not have is refused later, when the token is written.
      if (resource === null || (resource.kind !== 'Server' && resource.tenantId !== context.tenantId)) continue;
      if (!token.decide(permission, resource).allowed) throw forbidden(`${sentence} It does not hold ${permission.name} to that extent.`);
    }
    const denied = await this.allowedWhereDenied(wanted, token);
    if (denied !== null) throw forbidden(`${sentence} It does not hold ${denied.name} to that extent.`);
  }

  /**
   * The caller's rights to move devices between customers and groups. Call it before a transaction starts: it may need
   * its own connection.
   */
  async moveRights({ principal, tenantId }: TenantContext): Promise<MoveRights> {
    const readable = await this.authorization.deviceScope(principal, Permission.DeviceRead, 'd');
    const mayLiftDenials = await this.authorization.isAllowed(principal, Permission.TenantPermissionsDeny, { kind: 'Tenant', tenantId });
    const { owner, token } = await this.authorization.rulesOf(principal);
    const denied = [owner, token].flatMap((rules) => (rules === null ? [] : [...rules.withEffect(PermissionEffect.Deny)]));
    const deniedAt = denied.flatMap(({ rule: { scopeId } }) => scopeId ?? []);
    return new MoveRights(readable, mayLiftDenials, new Set(deniedAt));
  }

  private async missing(context: RequestContext, holder: Holder): Promise<PermissionDefinition | null> {
    const { principal } = context;
    if (isUnrestricted(principal)) return null;
    const held = await this.authorization.rules(holder.kind, holder.id, holder.tenantId);
    for (const { permission, rule } of held.withEffect(PermissionEffect.Allow)) {
      const resource = await this.resourceOf(rule);
      if (resource === null || !held.decide(permission, resource).allowed) continue;
      if (!(await this.authorization.isAllowed(principal, permission, resource))) return permission;
    }
    // The holder also holds more if the caller has a Deny inside such a scope.
    const own = await this.authorization.rulesOf(principal);
    for (const rules of [own.owner, own.token]) {
      const denied = rules === null ? null : await this.allowedWhereDenied(held, rules);
      if (denied !== null) return denied;
    }
    return null;
  }

  private async allowedWhereDenied(held: RuleSet, own: RuleSet): Promise<PermissionDefinition | null> {
    const deniedInContainers = new Set<PermissionDefinition>();
    for (const { permission, rule } of own.withEffect(PermissionEffect.Deny)) {
      const resource = await this.resourceOf(rule);
      if (resource === null) continue;
      if (held.decide(permission, resource).allowed) return permission;
      if (resource.kind === 'CustomerTenant' || resource.kind === 'DeviceGroup') deniedInContainers.add(permission);
    }
    // Customers and groups do not contain each other, but they can share a device: one scope may deny it while the other allows it.
    for (const permission of deniedInContainers) {
      if (!permission.scopeKinds.includes(PermissionScopeKind.Device)) continue;
      if (await this.rules.hasDevice(allowedWhereDeniedCondition(held, own, permission, 'd'))) return permission;
    }
    return null;
  }

  /** The target of a rule with everything that contains it; null when it no longer exists. */
  private async resourceOf({ scopeKind, scopeId, owningTenantId }: Rule): Promise<Resource | null> {
    switch (scopeKind) {
      case PermissionScopeKind.Server:
        return { kind: 'Server' };
      case PermissionScopeKind.Tenant:
        return scopeId === null ? null : { kind: 'Tenant', tenantId: scopeId };
      case PermissionScopeKind.Device:
        return scopeId === null ? null : this.authorization.device(scopeId);
      case PermissionScopeKind.CustomerTenant:
      case PermissionScopeKind.DeviceGroup:
      case PermissionScopeKind.UserGroup:
        return scopeId === null || owningTenantId === null ? null : { kind: scopeKind, id: scopeId, tenantId: owningTenantId };
      case PermissionScopeKind.Unknown:
        return null;
    }
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
