import { Injectable } from '@nestjs/common';

import { idOf, tenantOf, type Principal } from '../authentication/principal.js';
import { InvalidationBus, type InvalidationListener } from '../database/invalidation-bus.js';
import { Topic } from '../database/invalidation-topics.js';
import { KeyedCache } from '../database/keyed-cache.js';
import { deviceScopeCondition, type SqlCondition } from './device-scope.js';
import { evaluate, isUnrestricted, type PrincipalRules } from './evaluator.js';
import { PermissionPrincipalKind, type PermissionDefinition } from './permission.js';
import { countingRules, RuleSet, type DeviceResource, type Resource } from './rules.js';
import { RulesRepository } from './rules.repository.js';

/** Most principals whose rules are cached. */
const CACHED_PRINCIPALS = 20_000;
/** Most devices whose tenant, customer and groups are cached. */
const CACHED_DEVICES = 50_000;

const NO_RULES = new RuleSet([]);

/** The rules that count for a holder while it is bound to the tenant. */
interface KeptRules {
  readonly tenantId: string | null;
  readonly rules: RuleSet;
}

/**
 * Decides what principals may do. Rules are cached until a write changes them, so a check takes a few hash look-ups,
 * and a grant or revocation takes effect with the next request (`database/invalidation-bus.ts`).
 */
@Injectable()
export class AuthorizationService implements InvalidationListener {
  private readonly cache: KeyedCache<KeptRules>;
  private readonly devices: KeyedCache<DeviceResource | null>;
  /** Keys of the cached rules that came through a user group, by the group's id, so that a change of the group finds them at once. */
  private readonly keptThroughGroup = new Map<string, Set<string>>();

  constructor(
    private readonly repository: RulesRepository,
    invalidations: InvalidationBus,
  ) {
    this.cache = new KeyedCache(CACHED_PRINCIPALS, () => invalidations.isListening);
    this.devices = new KeyedCache(CACHED_DEVICES, () => invalidations.isListening);
    invalidations.subscribe(this);
  }

  /** Whether the principal holds the permission on the resource. */
  async isAllowed(principal: Principal, permission: PermissionDefinition, resource: Resource): Promise<boolean> {
    return evaluate(principal, await this.rulesOf(principal), permission, resource).allowed;
  }

  /** The devices on which the principal holds the permission, as an SQL condition on the alias of a `devices` row. */
  async deviceScope(principal: Principal, permission: PermissionDefinition, alias: string, firstParameter = 1): Promise<SqlCondition> {
    return deviceScopeCondition(principal, await this.rulesOf(principal), permission, alias, firstParameter);
  }

  /** Whether the principal is a Restricted server account without assignments. Every call of such an account is refused. */
  async hasNothing(principal: Principal): Promise<boolean> {
    if (principal.type !== 'ServerServiceAccount' || principal.accessMode === 'Unrestricted') return false;
    return (await this.rulesOf(principal)).owner.isEmpty;
  }

  /** The rules of a principal and of the token that it used. */
  async rulesOf(principal: Principal): Promise<PrincipalRules> {
    const id = idOf(principal);
    if (id === null || isUnrestricted(principal)) return { owner: NO_RULES, token: null };
    if (principal.type !== 'User')
      return { owner: await this.rules(PermissionPrincipalKind.ServiceAccount, id, tenantOf(principal)), token: null };
    const owner = await this.rules(PermissionPrincipalKind.User, id, principal.tenantId);
    const { credential } = principal;
    if (credential.type === 'LogonToken') {
      return { owner, token: await this.rules(PermissionPrincipalKind.LogonToken, credential.id, principal.tenantId) };
    }
    if (credential.type === 'PersonalAccessToken' && credential.mode === 'Restricted') {
      return { owner, token: await this.rules(PermissionPrincipalKind.PersonalAccessToken, credential.id, principal.tenantId) };
    }
    return { owner, token: null };
  }

  /** The rules of a holder of assignments. For a user they include the rules of its groups. */
  async rules(kind: PermissionPrincipalKind, id: string, tenantId: string | null): Promise<RuleSet> {
    const key = `${kind}:${id}`;
    // Which rows count depends on the tenant.
    const kept = this.cache.peek(key);
    if (kept !== undefined && kept.tenantId !== tenantId) this.cache.forget(key);
    const { rules } = await this.cache.get(key, async () => {
      const { rows, groupIds } = await this.repository.load(kind, id);
      for (const groupId of groupIds) this.noteGroup(groupId, key);
      return { tenantId, rules: new RuleSet(countingRules({ tenantId }, rows)) };
    });
    return rules;
  }

  /** A device with its tenant, customer and groups; null when it does not exist. */
  device(id: string): Promise<DeviceResource | null> {
    return this.devices.get(id, () => this.repository.device(id));
  }

  forget(topic: string, id: string): void {
    if (topic === Topic.Device) {
      this.devices.forget(id);
      return;
    }
    this.cache.forget(`${topic}:${id}`);
    if (topic !== Topic.UserGroup) return;
    for (const key of this.keptThroughGroup.get(id) ?? []) this.cache.forget(key);
    this.keptThroughGroup.delete(id);
  }

  forgetAll(): void {
    this.cache.clear();
    this.devices.clear();
    this.keptThroughGroup.clear();
  }

  private noteGroup(groupId: string, key: string): void {
    const keys = this.keptThroughGroup.get(groupId);
    if (keys === undefined) this.keptThroughGroup.set(groupId, new Set([key]));
    else keys.add(key);
  }
}
