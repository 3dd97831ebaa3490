import { tenantOf, type Principal } from '../../authentication/principals/principal.js';
import type { PermissionDefinition } from '../permissions/permission.js';
import type { Resource, RuleDecision, RuleSet } from './rules.js';

/** The rules that a decision needs: those of the principal and, for a token, those of the token. */
export interface PrincipalRules {
  /** Direct assignments and those of the user's groups. */
  readonly owner: RuleSet;
  /** Assignments of the personal access token or logon token; null for other credentials. */
  readonly token: RuleSet | null;
  /** Rules of the maker of a logon token: each set must allow what the token's session does. Empty for other credentials. */
  readonly maker: readonly RuleSet[];
}

/** Checks whether a principal bypasses evaluation (access mode `Unrestricted`). */
export function isUnrestricted(principal: Principal): boolean {
  return principal.type === 'System' || (principal.type === 'ServerServiceAccount' && principal.accessMode === 'Unrestricted');
}

const NOT_GRANTED: RuleDecision = { allowed: false, rule: null };

/** Decides one permission on one resource. A pure function. */
export function evaluate(principal: Principal, rules: PrincipalRules, permission: PermissionDefinition, resource: Resource): RuleDecision {
  if (isUnrestricted(principal)) return { allowed: true, rule: null };
  const tenantId = tenantOf(principal);
  if (tenantId !== null && resource.kind !== 'Server' && resource.tenantId !== tenantId) return NOT_GRANTED;
  const owner = rules.owner.decide(permission, resource);
  if (principal.type !== 'User' || rules.token === null) return owner;

  if (principal.credential.type === 'LogonToken') {
    if (resource.kind === 'Device' && resource.id !== principal.credential.deviceId) return NOT_GRANTED;
    // Only the token's assignments can allow. A Deny of the token's user still refuses, and so does a right that its maker no longer holds.
    if (isDenied(owner)) return owner;
    return rules.maker.every((made) => made.decide(permission, resource).allowed) ? rules.token.decide(permission, resource) : NOT_GRANTED;
  }
  return owner.allowed ? rules.token.decide(permission, resource) : owner;
}

function isDenied({ allowed, rule }: RuleDecision): boolean {
  return !allowed && rule !== null;
}
