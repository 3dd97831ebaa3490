import { findPermission, PermissionEffect, PermissionScopeKind, type PermissionDefinition } from '../permissions/permission.js';

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
  readonly allows: ScopedRules;
  readonly denies: ScopedRules;
}

/** The scopes that one permission includes or excludes, as a list query needs them. */
export interface ScopeSets {
  readonly server: boolean;
  readonly tenantIds: readonly string[];
  readonly customerIds: readonly string[];
  readonly deviceGroupIds: readonly string[];
  readonly deviceIds: readonly string[];
}

type RulesById = Map<string, Rule>;

/**
 * The rules of one permission and effect, by scope. Each kind of scope has a map of its own by id, because a key made of kind and id would
 * have to be made and hashed for each look-up.
 */
class ScopedRules {
  private atServer: Rule | undefined;
  private inTenants: RulesById | undefined;
  private inCustomers: RulesById | undefined;
  private inDeviceGroups: RulesById | undefined;
  private inUserGroups: RulesById | undefined;
  private onDevices: RulesById | undefined;
  /** Rules that match no resource, because their scope has an unknown kind or no id. */
  private elsewhere: RulesById | undefined;

  get isEmpty(): boolean {
    return this.atServer === undefined && this.maps().length === 0;
  }

  get sets(): ScopeSets {
    return {
      server: this.atServer !== undefined,
      tenantIds: idsOf(this.inTenants),
      customerIds: idsOf(this.inCustomers),
      deviceGroupIds: idsOf(this.inDeviceGroups),
      deviceIds: idsOf(this.onDevices),
    };
  }

  /** Adds a rule. Of several at one scope, the first counts, but a direct one before those through groups. */
  add(rule: Rule): void {
    if (rule.scopeKind === PermissionScopeKind.Server) {
      if (precedes(rule, this.atServer)) this.atServer = rule;
      return;
    }
    const rules = this.mapFor(rule);
    const id = rule.scopeId ?? '';
    if (precedes(rule, rules.get(id))) rules.set(id, rule);
  }

  /** The rule at the narrowest scope that contains the resource. */
  match(resource: Resource): Rule | undefined {
    if (resource.kind === 'Server') return this.atServer;
    return this.matchInside(resource) ?? this.inTenants?.get(resource.tenantId) ?? this.atServer;
  }

  *[Symbol.iterator](): Generator<Rule> {
    if (this.atServer !== undefined) yield this.atServer;
    for (const rules of this.maps()) yield* rules.values();
  }

  /** The rule at the narrowest scope inside the tenant that contains the resource. */
  private matchInside(resource: Exclude<Resource, { kind: 'Server' }>): Rule | undefined {
    switch (resource.kind) {
      case 'Tenant':
        return undefined;
      case 'CustomerTenant':
        return this.inCustomers?.get(resource.id);
      case 'DeviceGroup':
        return this.inDeviceGroups?.get(resource.id);
      case 'UserGroup':
        return this.inUserGroups?.get(resource.id);
      case 'Device':
        return this.onDevices?.get(resource.id) ?? this.matchContainer(resource);
    }
  }

  private matchContainer({ deviceGroupIds, customerId }: DeviceResource): Rule | undefined {
    if (this.inDeviceGroups !== undefined) {
      for (const id of deviceGroupIds) {
        const rule = this.inDeviceGroups.get(id);
        if (rule !== undefined) return rule;
      }
    }
    return customerId === null ? undefined : this.inCustomers?.get(customerId);
  }

  private mapFor({ scopeKind, scopeId }: Rule): RulesById {
    if (scopeId === null) return (this.elsewhere ??= new Map());
    switch (scopeKind) {
      case PermissionScopeKind.Tenant:
        return (this.inTenants ??= new Map());
      case PermissionScopeKind.CustomerTenant:
        return (this.inCustomers ??= new Map());
      case PermissionScopeKind.DeviceGroup:
        return (this.inDeviceGroups ??= new Map());
      case PermissionScopeKind.UserGroup:
        return (this.inUserGroups ??= new Map());
      case PermissionScopeKind.Device:
        return (this.onDevices ??= new Map());
      case PermissionScopeKind.Server:
      case PermissionScopeKind.Unknown:
        return (this.elsewhere ??= new Map());
    }
  }

  private maps(): RulesById[] {
    const { inTenants, inCustomers, inDeviceGroups, inUserGroups, onDevices, elsewhere } = this;
    return [inTenants, inCustomers, inDeviceGroups, inUserGroups, onDevices, elsewhere].filter((rules) => rules !== undefined);
  }
}

const NO_RULES: PermissionRules = { allows: new ScopedRules(), denies: new ScopedRules() };

/**
 * The rules of one principal, indexed by permission and scope. A check takes a few hash look-ups, whatever the number
 * of assignments, devices or tenants.
 */
export class RuleSet {
  private readonly byPermission = new Map<string, PermissionRules>();
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
    const deny = rules.denies.match(resource);
    if (deny !== undefined) return { allowed: false, rule: deny };
    const allow = rules.allows.match(resource);
    return { allowed: allow !== undefined, rule: allow ?? null };
  }

  /** Every counting rule of one effect, with its permission. */
  *withEffect(effect: PermissionEffect): Generator<{ readonly permission: PermissionDefinition; readonly rule: Rule }> {
    for (const [name, { allows, denies }] of this.byPermission) {
      const permission = findPermission(name);
      if (permission === undefined) continue;
      for (const rule of effect === PermissionEffect.Allow ? allows : denies) yield { permission, rule };
    }
  }

  /** Checks whether an Allow rule of the permission includes anything. What it includes may be denied. */
  includesAny(permission: PermissionDefinition): boolean {
    return !this.rulesOf(permission).allows.isEmpty;
  }

  /** The scopes that Allow rules of the permission include. */
  included(permission: PermissionDefinition): ScopeSets {
    return this.rulesOf(permission).allows.sets;
  }

  /** The scopes that Deny rules of the permission exclude. */
  excluded(permission: PermissionDefinition): ScopeSets {
    return this.rulesOf(permission).denies.sets;
  }

  private rulesOf(permission: PermissionDefinition): PermissionRules {
    return this.byPermission.get(permission.name) ?? NO_RULES;
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
    if (rules === undefined) this.byPermission.set(rule.permissionName, (rules = { allows: new ScopedRules(), denies: new ScopedRules() }));
    if (isAllow) this.noteReach(rule, permission);
    (isAllow ? rules.allows : rules.denies).add(rule);
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

/**
 * The scopes that contain a resource, narrowest first, as SQL writes them: kind and id with a colon between them, or `Server`. Rules are
 * matched in the same order.
 */
export function scopeKeysOf(resource: Resource): readonly string[] {
  switch (resource.kind) {
    case 'Server':
      return [PermissionScopeKind.Server];
    case 'Tenant':
      return [...tenantKeys(resource.tenantId)];
    case 'CustomerTenant':
    case 'DeviceGroup':
    case 'UserGroup':
      return [scopeKey(PermissionScopeKind[resource.kind], resource.id), ...tenantKeys(resource.tenantId)];
    case 'Device': {
      const keys = [scopeKey(PermissionScopeKind.Device, resource.id)];
      for (const id of resource.deviceGroupIds) keys.push(scopeKey(PermissionScopeKind.DeviceGroup, id));
      if (resource.customerId !== null) keys.push(scopeKey(PermissionScopeKind.CustomerTenant, resource.customerId));
      return [...keys, ...tenantKeys(resource.tenantId)];
    }
  }
}

function tenantKeys(tenantId: string): readonly string[] {
  return [scopeKey(PermissionScopeKind.Tenant, tenantId), PermissionScopeKind.Server];
}

function scopeKey(kind: PermissionScopeKind, id: string): string {
  return `${kind}:${id}`;
}

/** Checks whether a rule decides instead of the known one at the same scope. */
function precedes(rule: Rule, known: Rule | undefined): boolean {
  return known === undefined || (known.throughGroupId !== null && rule.throughGroupId === null);
}

function idsOf(rules: RulesById | undefined): readonly string[] {
  return rules === undefined ? [] : [...rules.keys()];
}
