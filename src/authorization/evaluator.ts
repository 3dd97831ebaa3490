import { tenantOf, type Principal } from '../authentication/principal.js';
import type { PermissionDefinition } from './permission.js';
import type { Resource, Rule, RuleSet } from './rules.js';

/** Why a permission is allowed or refused. */
export enum DecisionReason {
  Unrestricted = 'Unrestricted',
  Allowed = 'Allowed',
  Denied = 'Denied',
  NotGranted = 'NotGranted',
  OwnerNotGranted = 'OwnerNotGranted',
  TokenNotGranted = 'TokenNotGranted',
  OtherDevice = 'OtherDevice',
  OtherTenant = 'OtherTenant',
}

/** The outcome of a permission check, with the rule that decided it. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: DecisionReason;
  readonly rule: Rule | null;
}

/** The rules that a decision needs: the principal's own and, for a token, the token's. */
export interface PrincipalRules {
  /** Direct rows and those of the user's groups. */
  readonly owner: RuleSet;
  /** Rows of the personal access token or logon token; null for other credentials. */
  readonly token: RuleSet | null;
}

/** Whether a principal bypasses evaluation (access mode `Unrestricted`). */
export function isUnrestricted(principal: Principal): boolean {
  return principal.type === 'System' || (principal.type === 'ServerServiceAccount' && principal.accessMode === 'Unrestricted');
}

/** Decides one permission on one resource. Pure: the same inputs always give the same answer. */
export function evaluate(principal: Principal, rules: PrincipalRules, permission: PermissionDefinition, resource: Resource): Decision {
  if (isUnrestricted(principal)) return { allowed: true, reason: DecisionReason.Unrestricted, rule: null };
  const tenantId = tenantOf(principal);
  if (tenantId !== null && resource.kind !== 'Server' && resource.tenantId !== tenantId) {
    return { allowed: false, reason: DecisionReason.OtherTenant, rule: null };
  }
  if (principal.type !== 'User' || rules.token === null) return ownDecision(rules.owner, permission, resource);

  if (principal.credential.type === 'LogonToken') {
    if (resource.kind === 'Device' && resource.id !== principal.credential.deviceId) {
      return { allowed: false, reason: DecisionReason.OtherDevice, rule: null };
    }
    // The token's rows grant; a Deny on the user that it signs in still refuses.
    const owner = rules.owner.decide(permission, resource);
    if (!owner.allowed && owner.rule !== null) return { allowed: false, reason: DecisionReason.Denied, rule: owner.rule };
    return tokenDecision(rules.token, permission, resource);
  }

  const owner = rules.owner.decide(permission, resource);
  if (!owner.allowed) {
    return { allowed: false, reason: owner.rule === null ? DecisionReason.OwnerNotGranted : DecisionReason.Denied, rule: owner.rule };
  }
  return tokenDecision(rules.token, permission, resource);
}

function ownDecision(rules: RuleSet, permission: PermissionDefinition, resource: Resource): Decision {
  const { allowed, rule } = rules.decide(permission, resource);
  if (allowed) return { allowed, reason: DecisionReason.Allowed, rule };
  return { allowed, reason: rule === null ? DecisionReason.NotGranted : DecisionReason.Denied, rule };
}

function tokenDecision(rules: RuleSet, permission: PermissionDefinition, resource: Resource): Decision {
  const { allowed, rule } = rules.decide(permission, resource);
  if (allowed) return { allowed, reason: DecisionReason.Allowed, rule };
  return { allowed, reason: rule === null ? DecisionReason.TokenNotGranted : DecisionReason.Denied, rule };
}
