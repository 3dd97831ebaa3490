import { Injectable } from '@nestjs/common';

import { metrics } from '@opentelemetry/api';
import type { EntityManager } from 'typeorm';

import { InvalidationBus, type InvalidationListener } from '../../../platform/database/invalidation/invalidation-bus.js';
import { KeyedCache } from '../../../platform/database/invalidation/keyed-cache.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import type { Principal } from '../../authentication/principals/principal.js';
import type { PermissionDefinition, PermissionPrincipalKind } from '../permissions/permission.js';
import type { SqlCondition } from './device-scope.js';
import { Rights } from './rights.js';
import { countingRules, RuleSet, type DeviceResource, type Resource } from './rules.js';
import { RulesRepository } from './rules.repository.js';
import { StoredRights } from './stored-rights.js';

/** Most principals whose rules are cached. */
const CACHED_PRINCIPALS = 20_000;
/** Most devices whose tenant, customer and groups are cached. */
const CACHED_DEVICES = 50_000;

/** The rules that count for a holder as long as it is bound to the tenant. */
interface CachedRules {
  readonly tenantId: string | null;
  readonly rules: RuleSet;
}

/**
 * Decides about the rights of principals. Rules are cached until a write changes them, so a check takes a few hash look-ups, and a grant or
 * revocation takes effect with the next request (`database/invalidation-bus.ts`).
 */
@Injectable()
export class AuthorizationService extends Rights implements InvalidationListener {
  private allowed = 0;
  private denied = 0;
  private readonly cache: KeyedCache<CachedRules>;
  private readonly devices: KeyedCache<DeviceResource | null>;
  /** Keys of the cached rules that came through a user group, by the group's id, so that a change of the group finds them at once. */
  private readonly cachedThroughGroup = new Map<string, Set<string>>();

  constructor(
    private readonly repository: RulesRepository,
    invalidations: InvalidationBus,
  ) {
    super();
    this.cache = new KeyedCache('rules', CACHED_PRINCIPALS, () => invalidations.isListening);
    this.devices = new KeyedCache('devices', CACHED_DEVICES, () => invalidations.isListening);
    invalidations.subscribe(this);
    metrics
      .getMeter('authorization')
      .createObservableCounter('authorization.checks', {
        unit: '{check}',
        description: 'Checks of a permission, by result (allowed, denied).',
      })
      .addCallback((result) => {
        result.observe(this.allowed, { result: 'allowed' });
        result.observe(this.denied, { result: 'denied' });
      });
  }

  override async isAllowed(principal: Principal, permission: PermissionDefinition, resource: Resource): Promise<boolean> {
    const isAllowed = await super.isAllowed(principal, permission, resource);
    if (isAllowed) this.allowed += 1;
    else this.denied += 1;
    return isAllowed;
  }

  /** Returns the principals' rights as the transaction sees them, for changes that must not rely on what was read before them. */
  storedRights(manager: EntityManager): Rights {
    return new StoredRights(this.repository, manager);
  }

  async rules(kind: PermissionPrincipalKind, id: string, tenantId: string | null): Promise<RuleSet> {
    const key = `${kind}:${id}`;
    // Which rows count depends on the tenant.
    const cached = this.cache.peek(key);
    if (cached?.tenantId === tenantId) return cached.rules;
    if (cached !== undefined) this.cache.forget(key);
    const load = async (): Promise<CachedRules> => {
      const { rows, groupIds } = await this.repository.load(kind, id);
      for (const groupId of groupIds) this.noteGroup(groupId, key);
      return { tenantId, rules: new RuleSet(countingRules({ tenantId }, rows)) };
    };
    const loaded = await this.cache.get(key, load);
    // Another caller may have begun the loading for another tenant.
    return (loaded.tenantId === tenantId ? loaded : await load()).rules;
  }

  device(id: string): Promise<DeviceResource | null> {
    return this.devices.get(id, () => this.repository.device(id));
  }

  hasDevice(condition: SqlCondition): Promise<boolean> {
    return this.repository.hasDevice(condition);
  }

  forget(topic: string, id: string): void {
    if (topic === Topic.Device) {
      this.devices.forget(id);
      return;
    }
    this.cache.forget(`${topic}:${id}`);
    if (topic !== Topic.UserGroup) return;
    for (const key of this.cachedThroughGroup.get(id) ?? []) this.cache.forget(key);
    this.cachedThroughGroup.delete(id);
  }

  forgetAll(): void {
    this.cache.clear();
    this.devices.clear();
    this.cachedThroughGroup.clear();
  }

  private noteGroup(groupId: string, key: string): void {
    const keys = this.cachedThroughGroup.get(groupId);
    if (keys === undefined) this.cachedThroughGroup.set(groupId, new Set([key]));
    else keys.add(key);
  }
}
