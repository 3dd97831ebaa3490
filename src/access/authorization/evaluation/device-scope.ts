import type { Principal } from '../../authentication/principals/principal.js';
import type { PermissionDefinition } from '../permissions/permission.js';
import { isUnrestricted, type PrincipalRules } from './evaluator.js';
import type { RuleSet, ScopeSets } from './rules.js';

/** A condition on the alias of a `devices` row, with parameters that are numbered from `firstParameter`. */
export interface SqlCondition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** SQL that is true if the only key of a device waits for approval, on the alias of a `devices` row: then nothing speaks for the device. */
export const keyPendingSql = (alias: string): string => `(${alias}.key_pending_since IS NOT NULL AND ${alias}.waiting_public_key = '')`;

/**
 * The devices on which a principal holds a permission, as a condition for the WHERE clause of list queries. It must
 * agree with the evaluator; one table of test cases covers both.
 */
export function deviceScopeCondition(
  principal: Principal,
  rules: PrincipalRules,
  permission: PermissionDefinition,
  alias: string,
  firstParameter: number,
): SqlCondition {
  if (isUnrestricted(principal)) return { sql: 'TRUE', parameters: [] };
  const builder = new ConditionBuilder(alias, firstParameter);
  const parts: string[] = [];
  if (principal.type === 'User' || principal.type === 'TenantServiceAccount') parts.push(builder.tenant(principal.tenantId));
  if (principal.type === 'User' && principal.credential.type === 'LogonToken') {
    parts.push(builder.device(principal.credential.deviceId), builder.notExcluded(rules.owner, permission));
  } else {
    parts.push(builder.allowedBy(rules.owner, permission));
  }
  for (const made of rules.maker) parts.push(builder.allowedBy(made, permission));
  if (rules.token !== null) parts.push(builder.allowedBy(rules.token, permission));
  return { sql: parts.filter((part) => part !== 'TRUE').join(' AND ') || 'TRUE', parameters: builder.parameters };
}

/** The devices on which one rule set allows the permission and another denies it, as a condition on the alias. */
export function allowedWhereDeniedCondition(
  allowing: RuleSet,
  denying: RuleSet,
  permission: PermissionDefinition,
  alias: string,
): SqlCondition {
  const builder = new ConditionBuilder(alias, 1);
  const sql = `${builder.allowedBy(allowing, permission)} AND ${builder.excludedBy(denying, permission)}`;
  return { sql, parameters: builder.parameters };
}

class ConditionBuilder {
  readonly parameters: unknown[] = [];

  constructor(
    private readonly alias: string,
    private readonly firstParameter: number,
  ) {}

  tenant(tenantId: string): string {
    return `${this.alias}.tenant_id = ${this.bind(tenantId)}`;
  }

  device(deviceId: string): string {
    return `${this.alias}.id = ${this.bind(deviceId)}`;
  }

  allowedBy(rules: RuleSet, permission: PermissionDefinition): string {
    const included = this.any(rules.included(permission));
    if (included === 'FALSE') return 'FALSE';
    const notExcluded = this.notExcluded(rules, permission);
    return notExcluded === 'TRUE' ? included : `${included} AND ${notExcluded}`;
  }

  notExcluded(rules: RuleSet, permission: PermissionDefinition): string {
    const excluded = this.excludedBy(rules, permission);
    // The comparison is null for a device without a customer. Inside NOT, null must count as "no match".
    return excluded === 'FALSE' ? 'TRUE' : excluded === 'TRUE' ? 'FALSE' : `NOT COALESCE(${excluded}, FALSE)`;
  }

  excludedBy(rules: RuleSet, permission: PermissionDefinition): string {
    return this.any(rules.excluded(permission));
  }

  private any(sets: ScopeSets): string {
    if (sets.server) return 'TRUE';
    const parts: string[] = [];
    if (sets.tenantIds.length > 0) parts.push(this.isOneOf('tenant_id', sets.tenantIds));
    if (sets.customerIds.length > 0) parts.push(this.isOneOf('customer_id', sets.customerIds));
    if (sets.deviceGroupIds.length > 0) {
      const groups = this.bind(sets.deviceGroupIds);
      parts.push(
        `EXISTS (SELECT 1 FROM device_group_members m WHERE m.device_id = ${this.alias}.id AND m.device_group_id = ANY(${groups}::uuid[]))`,
      );
    }
    if (sets.deviceIds.length > 0) parts.push(this.isOneOf('id', sets.deviceIds));
    if (parts.length === 0) return 'FALSE';
    return parts.length === 1 ? parts[0] : `(${parts.join(' OR ')})`;
  }

  /** PostgreSQL finds devices by an index in the order of a list only when the columns before that order equal one value. */
  private isOneOf(column: string, ids: readonly string[]): string {
    const value = `${this.alias}.${column}`;
    return ids.length === 1 ? `${value} = ${this.bind(ids[0])}::uuid` : `${value} = ANY(${this.bind(ids)}::uuid[])`;
  }

  private bind(value: unknown): string {
    this.parameters.push(value);
    return `$${this.firstParameter + this.parameters.length - 1}`;
  }
}
