import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { RequestContext } from '../authentication/request-context.js';
import { forbidden } from '../common/errors.js';
import { AuthorizationService } from './authorization.service.js';
import { isUnrestricted } from './evaluator.js';
import {
  Permission,
  PermissionEffect,
  PermissionScopeKind,
  type PermissionDefinition,
  type PermissionPrincipalKind,
} from './permission.js';
import type { Resource, Rule, RuleSet } from './rules.js';

/** Who holds assignments, and the tenant that it is bound to. */
export interface Holder {
  readonly kind: PermissionPrincipalKind;
  readonly id: string;
  readonly tenantId: string | null;
}

/**
 * Keeps callers from rising above themselves: whoever takes over another principal (its password, a token in its name, a
 * membership of its group) must hold all that it holds, and whoever moves devices must be able to read them.
 */
@Injectable()
export class Escalation {
  constructor(
    private readonly authorization: AuthorizationService,
    private readonly dataSource: DataSource,
  ) {}

  /** 403 with the sentence unless the caller holds everything that the holder effectively holds. */
  async requireHoldsAll(context: RequestContext, holder: Holder, sentence: string): Promise<void> {
    const missing = await this.missing(context, holder);
    if (missing !== null) throw forbidden(`${sentence} It holds ${missing.name}, which you do not hold to the same extent.`);
  }

  /** 403 unless the caller may read each of the devices: a group or customer that it controls must not bring it new ones. */
  async requireReadable(context: RequestContext, deviceIds: readonly string[]): Promise<void> {
    if (deviceIds.length === 0 || isUnrestricted(context.principal)) return;
    const scope = await this.authorization.deviceScope(context.principal, Permission.DeviceRead, 'd', 2);
    const [{ count }] = await this.dataSource.query<{ count: string }[]>(
      `SELECT count(*) FROM devices d WHERE d.id = ANY($1::uuid[]) AND ${scope.sql}`,
      [deviceIds, ...scope.parameters],
    );
    if (Number(count) < new Set(deviceIds).size) {
      throw forbidden(`Moving a device requires ${Permission.DeviceRead.name} on it: you may not read all of these devices.`);
    }
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
    // What is denied to the caller somewhere inside such a scope is more than the caller holds, too.
    const own = await this.authorization.rulesOf(principal);
    for (const rules of [own.owner, own.token]) {
      const denied = rules === null ? null : await this.allowedWhereDenied(held, rules);
      if (denied !== null) return denied;
    }
    return null;
  }

  private async allowedWhereDenied(held: RuleSet, own: RuleSet): Promise<PermissionDefinition | null> {
    for (const { permission, rule } of own.withEffect(PermissionEffect.Deny)) {
      const resource = await this.resourceOf(rule);
      if (resource !== null && held.decide(permission, resource).allowed) return permission;
    }
    return null;
  }

  /** What a rule is about, with everything that contains it; null when it is gone. */
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
