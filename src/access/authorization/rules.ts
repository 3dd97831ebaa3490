import { findPermission, PermissionEffect, PermissionScopeKind, type PermissionDefinition } from './permission.js';

/** An enabled permission assignment that counts for a principal. */
export interface Rule {
  readonly assignmentId: string;
  readonly permissionName: string;
  readonly effect: PermissionEffect;
  readonly scopeKind: PermissionScopeKind;
  readonly scopeId: string | null;
  readonly owningTenantId: string | null;
  /** The user group that the rule comes from; null for a direct assignment. */
  readonly throughGroupId: string | null;
}

/** The resource of a decision, with everything that contains it. */
export type Resource =
  | { readonly kind: 'Server' }
  | { readonly kind: 'Tenant'; readonly tenantId: string }
  | { readonly kind: 'CustomerTenant' | 'DeviceGroup' | 'UserGroup'; readonly id: string; readonly tenantId: string }
  | DeviceResource;

/** A device with the customer and the groups that contain it. */
export interface DeviceResource {
  readonly kind: 'Device';
  readonly id: string;
  readonly tenantId: string;
  readonly customerId: string | null;
  readonly deviceGroupIds: readonly string[];
  /** The key that speaks for it, empty without one; null while its only key waits for approval. Decides about no permission. */
  readonly keyInForce?: string | null;
}

/** The decision of a rule set, and the rule that made it. */
export interface RuleDecision {
  readonly allowed: boolean;
  /** The deciding rule; null when no rule matched. */
  readonly rule: Rule | null;
}

interface PermissionRules {
  readonly allows: ReadonlyMap<string, Rule>;
  readonly denies: ReadonlyMap<string, Rule>;
}

/** The scopes that one permission includes or excludes, as a list query needs them. */
export interface ScopeSets {
  readonly server: boolean;
  readonly tenantIds: readonly string[];
  readonly customerIds: readonly string[];
  readonly deviceGroupIds: readonly string[];
  readonly deviceIds: readonly string[];
}

const SERVER_KEY = PermissionScopeKind.Server;

/**
 * The rules of one principal, indexed by permission and scope. A check takes a few hash look-ups, whatever the number
 * of assignments, devices or tenants.
 */
export class RuleSet {
  private readonly byPermission = new Map<string, { allows: Map<string, Rule>; denies: Map<string, Rule> }>();
  /** The tenants in which something is allowed. */
  private readonly reachedTenantIds = new Set<string>();
  /** True if something is allowed in every tenant. */
  private reachesEveryTenant = false;

  constructor(rules: Iterable<Rule>) {
    for (const rule of rules) this.add(rule);
  }

  /** True if the principal has no rule at all. */
  get isEmpty(): boolean {
    return this.byPermission.size === 0;
  }

  /** Checks whether something is allowed in the tenant, if only on a part of it. */
  reachesInto(tenantId: string): boolean {
    return this.reachesEveryTenant || this.reachedTenantIds.has(tenantId);
  }

  /**
   * Decides a permission on a resource. Any matching Deny wins over every Allow, whatever their breadth. Without a
   * matching Allow the answer is no.
   */
  decide(permission: PermissionDefinition, resource: Resource): RuleDecision {
    const rules = this.byPermission.get(permission.name);
    if (rules === undefined) return { allowed: false, rule: null };
    const keys = scopeKeysOf(resource);
    const deny = rules.denies.size === 0 ? undefined : firstMatch(rules.denies, keys);
    if (deny !== undefined) return { allowed: false, rule: deny };
    const allow = firstMatch(rules.allows, keys);
    return { allowed: allow !== undefined, rule: allow ?? null };
  }

  /** Every counting rule of one effect, with its permission. */
  *withEffect(effect: PermissionEffect): Generator<{ readonly permission: PermissionDefinition; readonly rule: Rule }> {
    for (const [name, { allows, denies }] of this.byPermission) {
      const permission = findPermission(name);
      if (permission === undefined) continue;
      for (const rule of (effect === PermissionEffect.Allow ? allows : denies).values()) yield { permission, rule };
    }
  }

  /** Checks whether an Allow rule of the permission includes anything. What it includes may be denied. */
  includesAny(permission: PermissionDefinition): boolean {
    return this.rulesOf(permission).allows.size > 0;
  }

  /** The scopes that Allow rules of the permission include. */
  included(permission: PermissionDefinition): ScopeSets {
    return scopeSets(this.rulesOf(permission).allows);
  }

  /** The scopes that Deny rules of the permission exclude. */
  excluded(permission: PermissionDefinition): ScopeSets {
    return scopeSets(this.rulesOf(permission).denies);
  }

  private rulesOf(permission: PermissionDefinition): PermissionRules {
    return this.byPermission.get(permission.name) ?? { allows: new Map(), denies: new Map() };
  }

  private noteReach({ owningTenantId }: Rule, { scopeKinds }: PermissionDefinition): void {
    if (owningTenantId !== null) this.reachedTenantIds.add(owningTenantId);
    // Other permissions at the server are about the server only.
    else if (scopeKinds.includes(PermissionScopeKind.Tenant)) this.reachesEveryTenant = true;
  }

  private add(rule: Rule): void {
    const permission = findPermission(rule.permissionName);
    if (permission === undefined) return;
    const isAllow = rule.effect === PermissionEffect.Allow;
    // An Allow at a scope kind that the permission does not support grants nothing; a Deny there still refuses.
    if (isAllow && !permission.scopeKinds.includes(rule.scopeKind)) return;
    let rules = this.byPermission.get(rule.permissionName);
    if (rules === undefined) this.byPermission.set(rule.permissionName, (rules = { allows: new Map(), denies: new Map() }));
    if (isAllow) this.noteReach(rule, permission);
    const target = isAllow ? rules.allows : rules.denies;
    const key = scopeKey(rule.scopeKind, rule.scopeId);
    const known = target.get(key);
    if (known === undefined || (known.throughGroupId !== null && rule.throughGroupId === null)) target.set(key, rule);
  }
}

/** The holder of assignments, as far as it limits which of them count. */
export interface RuleOwner {
  /** The tenant that the principal is bound to; null for server service accounts. */
  readonly tenantId: string | null;
}

/**
 * The assignments that count for a principal. A principal that is bound to a tenant keeps assignments of its tenant and
 * of the server, except a server-wide Allow of a permission that is legal inside a tenant: it would reach other
 * tenants.
 */
export function countingRules(owner: RuleOwner, rows: readonly Rule[]): Rule[] {
  if (owner.tenantId === null) return [...rows];
  return rows.filter((row) => {
    if (row.owningTenantId !== null) return row.owningTenantId === owner.tenantId;
    if (row.scopeKind !== PermissionScopeKind.Server || row.effect === PermissionEffect.Deny) return true;
    return !findPermission(row.permissionName)?.scopeKinds.includes(PermissionScopeKind.Tenant);
  });
}

/** The scopes that contain a resource, narrowest first, as keys: kind and id with a colon between them, or `Server`. */
export function scopeKeysOf(resource: Resource): readonly string[] {
  switch (resource.kind) {
    case 'Server':
      return [SERVER_KEY];
    case 'Tenant':
      return [scopeKey(PermissionScopeKind.Tenant, resource.tenantId), SERVER_KEY];
    case 'CustomerTenant':
    case 'DeviceGroup':
    case 'UserGroup':
      return [
        scopeKey(PermissionScopeKind[resource.kind], resource.id),
        scopeKey(PermissionScopeKind.Tenant, resource.tenantId),
        SERVER_KEY,
      ];
    case 'Device': {
      const keys = [scopeKey(PermissionScopeKind.Device, resource.id)];
      for (const id of resource.deviceGroupIds) keys.push(scopeKey(PermissionScopeKind.DeviceGroup, id));
      if (resource.customerId !== null) keys.push(scopeKey(PermissionScopeKind.CustomerTenant, resource.customerId));
      keys.push(scopeKey(PermissionScopeKind.Tenant, resource.tenantId), SERVER_KEY);
      return keys;
    }
  }
}

function scopeKey(kind: PermissionScopeKind, id: string | null): string {
  return kind === PermissionScopeKind.Server ? SERVER_KEY : `${kind}:${id}`;
}

function firstMatch(rules: ReadonlyMap<string, Rule>, keys: readonly string[]): Rule | undefined {
  for (const key of keys) {
    const rule = rules.get(key);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

function scopeSets(rules: ReadonlyMap<string, Rule>): ScopeSets {
  const ids = (kind: PermissionScopeKind): string[] =>
    [...rules.values()].flatMap((rule) => (rule.scopeKind === kind && rule.scopeId !== null ? [rule.scopeId] : []));
  return {
    server: rules.has(SERVER_KEY),
    tenantIds: ids(PermissionScopeKind.Tenant),
    customerIds: ids(PermissionScopeKind.CustomerTenant),
    deviceGroupIds: ids(PermissionScopeKind.DeviceGroup),
    deviceIds: ids(PermissionScopeKind.Device),
  };
}
