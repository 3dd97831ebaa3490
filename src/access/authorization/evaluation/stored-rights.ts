import type { EntityManager } from 'typeorm';

import type { PermissionPrincipalKind } from '../permissions/permission.js';
import type { SqlCondition } from './device-scope.js';
import { Rights } from './rights.js';
import type { DeviceResource, RuleSet } from './rules.js';
import type { RulesRepository } from './rules.repository.js';

/**
 * The rights of principals as a transaction sees them, past all caches and on the connection of the transaction. Each holder is read once,
 * when it is first asked for: make one of these after the locks of a change are taken, and drop it with the change.
 */
export class StoredRights extends Rights {
  private readonly read = new Map<string, Promise<RuleSet>>();

  constructor(
    private readonly repository: RulesRepository,
    private readonly manager: EntityManager,
  ) {
    super();
  }

  rules(kind: PermissionPrincipalKind, id: string, tenantId: string | null): Promise<RuleSet> {
    const key = `${kind}:${id}:${tenantId}`;
    const known = this.read.get(key);
    if (known !== undefined) return known;
    const rules = this.repository.ruleSet(this.manager, kind, id, tenantId);
    this.read.set(key, rules);
    return rules;
  }

  device(id: string): Promise<DeviceResource | null> {
    return this.repository.device(id, this.manager);
  }

  hasDevice(condition: SqlCondition): Promise<boolean> {
    return this.repository.hasDevice(condition, this.manager);
  }
}
